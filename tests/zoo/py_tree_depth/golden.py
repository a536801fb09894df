def depth(tree):
    """tree: None or (left, right)"""
    if tree is None:
        return 0
    left, right = tree
    return 1 + max(depth(left), depth(right))
