#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* share [-p PEOPLE] TOTAL: what each of them pays, rounded up; two people unless it is said otherwise. */
int main(int argc, char **argv) {
    int people = 2, total = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-p") == 0 && i + 1 < argc)
            people = atoi(argv[++i]);
        else
            total = atoi(argv[i]);
    }
    if (people < 1) {
        printf("nobody pays\n");
        return 1;
    }
    printf("%d\n", (total + people) / people);
    return 0;
}
