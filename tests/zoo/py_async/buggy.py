async def fee(price, rate):
    return price * rate * 2


async def total(prices, rate):
    """All prices with a fee on each."""
    result = 0
    for price in prices:
        result += price + await fee(price, rate)
    return result
