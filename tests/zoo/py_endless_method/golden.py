class Counter:
    def __init__(self, start):
        self.value = start
        self.ticks = 0

    def countdown(self):
        """Down to zero; how many ticks it took."""
        while self.value > 0:
            self.value -= 1
            self.ticks += 1
        return self.ticks
