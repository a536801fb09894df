def missing(wanted, found):
    """What was wanted and not found."""
    return sorted(wanted ^ found)
