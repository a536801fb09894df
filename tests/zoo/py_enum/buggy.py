from enum import Enum


class Ticket(Enum):
    ADULT = 1
    CHILD = 2
    SENIOR = 3


def fare(ticket, zones):
    price = 2 * zones
    if ticket is Ticket.ADULT:
        return price // 2
    if ticket is Ticket.SENIOR:
        return price - 3
    return price
