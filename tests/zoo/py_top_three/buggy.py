def top_three(scores: list) -> list:
    """The three best scores, best first."""
    ranked = sorted(scores)
    return ranked[:3]
