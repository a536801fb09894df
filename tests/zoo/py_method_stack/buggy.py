class Stack:
    """Last in, first out."""

    def __init__(self):
        self._items = []

    def push(self, item):
        self._items.append(item)

    def peek(self):
        """The item on top."""
        return self._items[0]
