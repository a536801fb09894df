def transpose(matrix):
    rows = len(matrix)
    columns = len(matrix[0])
    result = []
    for c in range(columns):
        row = []
        for r in range(rows):
            row.append(matrix[r][c])
        result.append(row)
    return result
