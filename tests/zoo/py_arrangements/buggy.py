def arrangements(text):
    if len(text) <= 1:
        return [text]
    result = []
    for i in range(len(text)):
        for rest in arrangements(text[i + 1:]):
            result.append(text[i] + rest)
    return result
