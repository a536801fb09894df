def top_three(scores: list) -> list:
    """The three best scores, best first."""
    ranked = sorted(scores, reverse=True)
    return ranked[:3]
