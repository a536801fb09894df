def checksum(data):
    total = 0
    for byte in data:
        total = (total + byte) % 256
    return total
