#include "item.h"

enum { SMALLEST_CODE = 10000, LARGEST_CODE = 99999 };

/* The digits are weighed 2, 3, 4, 5 from the right; what is missing to a multiple of eleven. */
int item_check_digit(int first_four)
{
    int sum = 0;

    for (int weight = 2; first_four > 0; weight++) {
        sum += weight * (first_four % 10);
        first_four /= 10;
    }
    return (11 - sum % 11) % 11;
}

bool item_code_is_valid(int code)
{
    if (code < SMALLEST_CODE || code > LARGEST_CODE)
        return false;
    return item_check_digit(code / 10) == code % 10;
}

long item_value(const item *one)
{
    return (long)one->count * one->price;
}
