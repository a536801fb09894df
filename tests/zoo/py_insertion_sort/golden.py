def insertion_sort(values: list) -> list:
    """A sorted copy."""
    result = []
    for value in values:
        place = len(result)
        while place > 0 and result[place - 1] > value:
            place -= 1
        result.insert(place, value)
    return result
