#pragma once

#include "shelf.h"

typedef enum { COMMAND_ADD = 1, COMMAND_TAKE = 2, COMMAND_LEAST = 3 } command;

/* Carries a command out; what there is to say about it, NULL for nothing. */
const char *command_run(shelf *all, int kind, int code, int count, int price);

void command_list(shelf *all, int box);
