#pragma once

#include <stdbool.h>

/* What is kept of one kind of goods. */
typedef struct {
    int code;
    int count;
    int least; /* below this it is ordered again */
    int price;
} item;

/* A code has five digits, the last one checks the others. */
bool item_code_is_valid(int code);

int item_check_digit(int first_four);

/* What all pieces of it are worth. */
long item_value(const item *one);
