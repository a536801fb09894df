#include "price.h"

static int free_nights(int nights)
{
    return nights >= LONG_STAY ? 1 : 0;
}

int price_of(int nights)
{
    return (nights - free_nights(nights)) * NIGHT_PRICE;
}
