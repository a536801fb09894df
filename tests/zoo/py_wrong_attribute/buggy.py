class Queue:
    """First in, first out."""

    def __init__(self):
        self.waiting = []

    def put(self, item):
        self.waiting.append(item)

    def size(self):
        return len(self.waiting)

    def take(self):
        return self.items.pop(0)
