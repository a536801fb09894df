class Account:
    """Money of one person."""

    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
        self.fees = 0

    def withdraw(self, amount):
        """Take money out for a fee of 1; the balance afterwards."""
        cost = amount + 1
        if cost > self.balance:
            return None
        self.balance -= cost
        self.fees += 1
        return self.balance
