def transpose(matrix):
    rows = len(matrix)
    columns = len(matrix[0])
    result = []
    for c in range(rows):
        row = []
        for r in range(columns):
            row.append(matrix[r][c])
        result.append(row)
    return result
