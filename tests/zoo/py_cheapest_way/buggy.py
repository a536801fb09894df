def cheapest(roads, start, goal):
    """The lowest cost of a way; None when there is none."""
    cost = {start: 0}
    todo = [start]
    done = []
    while todo:
        here = min(todo, key=lambda place: cost[place])
        todo.remove(here)
        done.append(here)
        for there, price in roads.get(here, {}).items():
            if there in done:
                continue
            if there not in cost:
                cost[there] = cost[here] + price
            if there not in todo:
                todo.append(there)
    return cost.get(goal)
