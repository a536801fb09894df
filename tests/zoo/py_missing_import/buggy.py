def diagonal(width, height):
    return round(math.sqrt(width * width + height * height), 3)
