def runs(values):
    """Maximal runs of rising values."""
    run = []
    for value in values:
        if run and value <= run[-1]:
            yield run
        run.append(value)
    if run:
        yield run
