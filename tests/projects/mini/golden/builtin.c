#include "builtin.h"

#include <string.h>

enum { LARGEST_POWER = 30 };

static int absolute(const long *values, long *result)
{
    *result = values[0] < 0 ? -values[0] : values[0];
    return 1;
}

static int smallest(const long *values, long *result)
{
    *result = values[0] < values[1] ? values[0] : values[1];
    return 1;
}

static int largest(const long *values, long *result)
{
    *result = values[0] > values[1] ? values[0] : values[1];
    return 1;
}

static int common(const long *values, long *result)
{
    long a = values[0] < 0 ? -values[0] : values[0];
    long b = values[1] < 0 ? -values[1] : values[1];

    while (b != 0) {
        long rest = a % b;

        a = b;
        b = rest;
    }
    *result = a;
    return 1;
}

static int power(const long *values, long *result)
{
    long product = 1;

    if (values[1] < 0 || values[1] > LARGEST_POWER)
        return 0;
    for (long i = 0; i < values[1]; i++)
        product *= values[0];
    *result = product;
    return 1;
}

/* The value itself, or the end that it is beyond. */
static int clamp(const long *values, long *result)
{
    long value = values[0], low = values[1], high = values[2];

    if (low > high)
        return 0;
    if (value < low)
        value = low;
    if (value > high)
        value = high;
    *result = value;
    return 1;
}

static const struct function {
    const char *name;
    int count;
    int (*run)(const long *values, long *result);
} functions[] = {
    {"abs", 1, absolute}, {"min", 2, smallest}, {"max", 2, largest},
    {"gcd", 2, common},   {"pow", 2, power},    {"clamp", 3, clamp},
};

enum called builtin_call(const char *name, const long *values, int count, long *result)
{
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++) {
        const struct function *function = &functions[i];

        if (strcmp(function->name, name) != 0)
            continue;
        if (function->count != count)
            return WRONG_COUNT;
        return function->run(values, result) ? CALLED : BAD_VALUE;
    }
    return NO_FUNCTION;
}
