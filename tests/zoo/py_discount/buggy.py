FROM = 10
PERCENT = 20


def discount(price: int, qty: int) -> int:
    """What the customer pays; ten pieces or more are cheaper."""
    total = price * qty
    if qty > FROM:
        total -= total * PERCENT // 100
    return total
