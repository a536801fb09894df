def gross(net: float, rebate: float, vat: float) -> float:
    """Net price less the rebate, plus value added tax (both in percent)."""
    reduced = net - net * rebate / 100
    tax = reduced * vat / 100
    return round(reduced + tax, 2)
