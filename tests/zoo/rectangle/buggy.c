/* Do two rectangles, given by width and height, have the same area? */
#include <stdio.h>

int area(int width, int height) {
    return width * width;
}

int main(void) {
    int a, b, c, d;
    scanf("%d %d %d %d", &a, &b, &c, &d);
    if (area(a, b) == area(c, d))
        printf("same\n");
    else
        printf("different\n");
    return 0;
}
