def receipt(lines):
    total = 0
    for name, price in lines:
        print(name, price)
        total += price
    print("total", total)
