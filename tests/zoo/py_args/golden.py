def spread(*numbers, scale=1):
    """How far the numbers lie apart."""
    return (max(numbers) - min(numbers)) * scale
