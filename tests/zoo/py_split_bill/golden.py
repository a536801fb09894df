def split_bill(cents, people):
    """Shares that add up to the bill; the first ones pay a cent more where it does not come out even."""
    share, rest = divmod(cents, people)
    return [share + 1 if number < rest else share for number in range(people)]
