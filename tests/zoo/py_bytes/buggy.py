def checksum(data):
    total = 0
    for byte in data[:-1]:
        total = (total + byte) % 256
    return total
