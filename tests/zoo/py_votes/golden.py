from collections import Counter


def winner(votes):
    """Who has most votes; among equals the one who got a vote first."""
    best, most = None, 0
    for name, count in Counter(votes).items():
        if count > most:
            best, most = name, count
    return best
