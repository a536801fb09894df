from decimal import Decimal


def with_tax(price, rate):
    return price + price * rate
