class Clock:
    MINUTES = 59

    @classmethod
    def parse(cls, text):
        """Minutes since midnight of `hours:minutes`."""
        hours, minutes = text.split(":")
        return int(hours) * cls.MINUTES + int(minutes)
