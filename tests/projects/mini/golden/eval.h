#ifndef EVAL_H
#define EVAL_H

#include "parser.h"
#include "vars.h"

enum outcome { DONE, UNKNOWN_NAME, UNKNOWN_FUNCTION, WRONG_ARGUMENTS, DIVIDED_BY_ZERO };

enum outcome eval(const struct tree *tree, int number, const struct vars *vars, long *result);

const char *eval_words(enum outcome outcome);

#endif
