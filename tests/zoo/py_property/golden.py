from dataclasses import dataclass


@dataclass
class Rectangle:
    width: int
    height: int

    @property
    def perimeter(self):
        return 2 * (self.width + self.height)
