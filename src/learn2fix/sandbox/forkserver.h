/* What the runner and the library that it loads into programs agree on. */
#ifndef LEARN2FIX_FORKSERVER_H
#define LEARN2FIX_FORKSERVER_H
#include <stdint.h>

#define CONTROL 198
#define MARK "LEARN2FIX_FORKSERVER"

struct order { /* with the descriptors of the copy: stdin, stdout, stderr, and for Python its answer */
    uint32_t seconds, length; /* of what follows: the arguments of a call or of a script, for Python */
};

struct report {
    uint64_t peak;
    int32_t status, error, left, unused;
};

#endif
