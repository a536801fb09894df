def stairs(n):
    for i in range(1, n):
        print("#" * i)
