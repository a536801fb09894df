def product(a, b):
    """The product of two matrices."""
    rows = []
    for i in range(len(a)):
        row = []
        for j in range(len(a)):
            row.append(sum(a[i][k] * b[k][j] for k in range(len(b))))
        rows.append(row)
    return rows
