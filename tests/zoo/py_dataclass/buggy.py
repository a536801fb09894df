from dataclasses import dataclass


@dataclass
class Item:
    name: str
    price: int
    count: int


def basket(items):
    """What all of it costs."""
    return sum(item.price for item in items)
