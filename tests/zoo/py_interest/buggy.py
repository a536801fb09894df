def balance(deposit: int, percent: int, years: int) -> int:
    """What is in the account after some years, in whole units, interest paid yearly."""
    amount = deposit
    for _year in range(1, years):
        amount += amount * percent // 100
    return amount
