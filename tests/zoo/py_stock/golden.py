def best_gain(prices: list) -> int:
    """The most that one purchase and one later sale could have earned; 0 at least."""
    best = 0
    cheapest = prices[0]
    for price in prices:
        cheapest = min(cheapest, price)
        best = max(best, price - cheapest)
    return best
