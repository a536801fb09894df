def transpose(rows):
    """Columns become rows."""
    result = []
    for column in range(len(rows[0])):
        result.append([row[column] for row in rows])
    return result
