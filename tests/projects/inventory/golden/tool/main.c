/* Reads the size of a box and how many commands follow; each is its kind (1 add, 2 take, 3 set the least count),
 * a code, a count and a price. Prints what is on the shelf in the end. */
#include <stdio.h>

#include "commands.h"

int main(void)
{
    shelf all;
    int box, count;

    shelf_clear(&all);
    if (scanf("%d %d", &box, &count) != 2 || box < 1 || count < 0 || count > 100) {
        printf("bad head\n");
        return 2;
    }
    for (int i = 0; i < count; i++) {
        int kind, code, pieces, price;
        const char *words;

        if (scanf("%d %d %d %d", &kind, &code, &pieces, &price) != 4) {
            printf("bad command %d\n", i + 1);
            return 2;
        }
        words = command_run(&all, kind, code, pieces, price);
        if (words != NULL)
            printf("command %d: %s\n", i + 1, words);
    }
    command_list(&all, box);
    return 0;
}
