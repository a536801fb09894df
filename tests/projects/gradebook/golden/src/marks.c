#include <stdio.h>

#include "marks.h"

static void swap(int *a, int *b)
{
    int kept = *a;

    *a = *b;
    *b = kept;
}

marks_status marks_read(marks *into)
{
    int count;

    into->count = 0;
    if (scanf("%d", &count) != 1 || count < 0 || count > MOST_MARKS)
        return MARKS_BAD;
    if (count == 0)
        return MARKS_EMPTY;
    for (int i = 0; i < count; i++) {
        if (scanf("%d", &into->values[i]) != 1)
            return MARKS_BAD;
        into->count++;
    }
    return MARKS_OK;
}

void marks_sort(marks *all)
{
    for (int i = 0; i + 1 < all->count; i++) {
        int least = i;

        for (int j = i + 1; j < all->count; j++)
            if (all->values[j] < all->values[least])
                least = j;
        swap(&all->values[i], &all->values[least]);
    }
}
