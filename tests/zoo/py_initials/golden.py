def initials(name: str) -> str:
    """First letters of all names, in capitals."""
    letters = ""
    for part in name.split():
        letters += part[0].upper()
    return letters
