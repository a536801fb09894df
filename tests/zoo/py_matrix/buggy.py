def transpose(rows):
    """Columns become rows."""
    result = []
    for column in range(len(rows[0])):
        result.append([row[0] for row in rows])
    return result
