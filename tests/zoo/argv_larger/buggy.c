#include <stdio.h>
#include <stdlib.h>

/* larger A B: prints the larger of two numbers and how far apart they are. */
int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: larger A B\n");
        return 2;
    }
    int a = atoi(argv[1]), b = atoi(argv[2]);
    if (a > b)
        printf("%d %d\n", a, a - b);
    else
        printf("%d %d\n", a, b - a);
    return 0;
}
