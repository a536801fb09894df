def schedule(needs):
    """Tasks in an order in which each comes after all it needs; None if there is none."""
    open_needs = {}
    for task in needs:
        open_needs[task] = len(needs[task])
    ready = sorted(task for task in needs if open_needs[task] == 0)
    order = []
    while ready:
        task = ready.pop(0)
        order.append(task)
        for other in sorted(needs):
            if task in needs[other]:
                open_needs[other] -= 1
                if open_needs[other] == 0:
                    ready.append(other)
    if len(order) < len(needs):
        return None
    return order
