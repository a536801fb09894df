def running_totals(amounts):
    """The balance after each amount."""
    total = 0
    balances = []
    for amount in amounts:
        total += amount
        balances.append(total)
    return balances
