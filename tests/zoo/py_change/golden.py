def coins(amount: int) -> list:
    """Change in as few coins as possible, largest first."""
    given = []
    for coin in (10, 5, 2, 1):
        while amount >= coin:
            amount -= coin
            given.append(coin)
    return given
