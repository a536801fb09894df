#pragma once

#include "shelf.h"

/* How many pieces of an item are to be ordered: whole boxes, up to twice its least count. */
int orders_needed(const item *one, int box);

/* For all items together. */
int orders_total(const shelf *all, int box);
