def depth(tree):
    """How many lists are inside one another."""
    deepest = 0
    for branch in tree:
        deepest = min(deepest, depth(branch))
    return deepest + 1


def widths(tree):
    """How many branches each list has, outermost first."""
    return [len(tree), *(width for branch in tree for width in widths(branch))]
