#pragma once

#include "item.h"

typedef struct {
    item items[SHELF_ROOM];
    int used;
} shelf;

typedef enum { SHELF_DONE, SHELF_FULL, SHELF_UNKNOWN, SHELF_TOO_FEW } shelf_result;

void shelf_clear(shelf *all);

/* The item with a code; NULL where there is none. */
item *shelf_find(shelf *all, int code);

/* Puts pieces on the shelf; a new item where the code is not known. */
shelf_result shelf_add(shelf *all, int code, int count, int price);

/* Takes pieces off it, or none where there are too few. */
shelf_result shelf_take(shelf *all, int code, int count);

/* Sorted by code. */
void shelf_sort(shelf *all);

long shelf_value(const shelf *all);
