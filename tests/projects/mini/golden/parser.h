#ifndef PARSER_H
#define PARSER_H

#include "lexer.h"

#define MOST_NODES 200
#define MOST_ARGUMENTS 3

enum node_kind { N_NUMBER, N_NAME, N_BINARY, N_NEGATE, N_CALL, N_CHOICE };

/* A part of an expression; its operands by their numbers. */
struct node {
    enum node_kind kind;
    long number;
    char name[LONGEST_NAME + 1];
    char sign;
    int operands[MOST_ARGUMENTS];
    int count;
};

struct tree {
    struct node nodes[MOST_NODES];
    int used;
    int root;
    char target[LONGEST_NAME + 1]; /* "" where nothing is assigned */
};

enum parsed { PARSED, PARSED_NOTHING, PARSE_ERROR };

/* A line is an expression, or NAME = expression. */
enum parsed parse_line(struct tree *tree, const char *line);

#endif
