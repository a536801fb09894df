def last_index(items, wanted):
    """The last place of an item, -1 when it is not there."""
    place = len(items) - 1
    while place > 0:
        if items[place] == wanted:
            return place
        place -= 1
    return -1
