def flood(grid, row, column):
    """How many cells with the value of this one hang together with it."""
    value = grid[row][column]
    todo = [(row, column)]
    seen = set()
    while todo:
        r, c = todo.pop()
        if r < 0 or c < 0 or r >= len(grid) or c >= len(grid[0]):
            continue
        if (r, c) in seen or grid[r][c] != value:
            continue
        seen.add((r, c))
        todo.append((r + 1, c))
        todo.append((r, c + 1))
        todo.append((r, c - 1))
    return len(seen)
