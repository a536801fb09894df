def initials(name: str) -> str:
    """First letters of all names, in capitals."""
    letters = ""
    for part in name.split():
        letters += part[1].upper()
    return letters
