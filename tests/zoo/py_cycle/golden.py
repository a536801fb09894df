def has_cycle(graph):
    done = set()
    active = set()

    def visit(node):
        if node in active:
            return True
        if node in done:
            return False
        active.add(node)
        for other in graph.get(node, []):
            if visit(other):
                return True
        active.remove(node)
        done.add(node)
        return False

    return any(visit(node) for node in graph)
