/* What the runner and the library that it loads into programs agree on. */
#ifndef LEARN2FIX_FORKSERVER_H
#define LEARN2FIX_FORKSERVER_H
#include <stdint.h>

#define CONTROL 198
#define MARK "LEARN2FIX_FORKSERVER"

struct report {
    uint64_t peak;
    int32_t status, error, left, unused;
};

#endif
