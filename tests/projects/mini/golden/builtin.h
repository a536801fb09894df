#ifndef BUILTIN_H
#define BUILTIN_H

enum called { CALLED, NO_FUNCTION, WRONG_COUNT, BAD_VALUE };

/* abs(x), min(a, b), max(a, b), gcd(a, b), pow(x, n), clamp(x, low, high) */
enum called builtin_call(const char *name, const long *values, int count, long *result);

#endif
