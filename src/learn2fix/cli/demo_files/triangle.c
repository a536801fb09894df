/* Steve's triangle: 1 equilateral, 2 isosceles, 3 scalene, 4 not a triangle. */
#include <stdio.h>

int classify(int a, int b, int c) {
    if (a <= 0 || b <= 0 || c <= 0)
        return 4;
    if (a <= c - b || b <= a - c || c <= b - a)
        return 4;
    if (a == b == c) /* all sides equal? */
        return 1;
    if (a == b || b == c || c == a)
        return 2;
    return 3;
}

int main(void) {
    int a, b, c;
    if (scanf("%d %d %d", &a, &b, &c) != 3)
        return 1;
    printf("%d\n", classify(a, b, c));
    return 0;
}
