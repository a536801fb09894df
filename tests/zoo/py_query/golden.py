def parameters(query):
    """Names and values of `a=1&b=2`; the last value of a name wins, a name alone has an empty value."""
    found = {}
    for part in query.split("&"):
        if not part:
            continue
        name, sign, value = part.partition("=")
        found[name] = value.replace("+", " ")
    return found
