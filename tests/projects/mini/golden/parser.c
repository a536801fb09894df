#include "parser.h"

#include <string.h>

#define NONE (-1)

static int parse_choice(struct tree *tree, struct lexer *lexer);

static int make(struct tree *tree, enum node_kind kind)
{
    struct node *node;

    if (tree->used == MOST_NODES)
        return NONE;
    node = &tree->nodes[tree->used];
    memset(node, 0, sizeof *node);
    node->kind = kind;
    return tree->used++;
}

static int make_binary(struct tree *tree, char sign, int left, int right)
{
    int made = make(tree, N_BINARY);

    if (made == NONE || left == NONE || right == NONE)
        return NONE;
    tree->nodes[made].sign = sign;
    tree->nodes[made].operands[0] = left;
    tree->nodes[made].operands[1] = right;
    tree->nodes[made].count = 2;
    return made;
}

static int parse_arguments(struct tree *tree, struct lexer *lexer, int call)
{
    if (lexer_accept(lexer, ')'))
        return call;
    for (;;) {
        int argument = parse_choice(tree, lexer);
        struct node *node = &tree->nodes[call];

        if (argument == NONE || node->count == MOST_ARGUMENTS)
            return NONE;
        node->operands[node->count++] = argument;
        if (lexer_accept(lexer, ')'))
            return call;
        if (!lexer_accept(lexer, ','))
            return NONE;
    }
}

static int parse_name(struct tree *tree, struct lexer *lexer)
{
    char name[LONGEST_NAME + 1];
    int made;

    strcpy(name, lexer->token.name);
    lexer_next(lexer);
    if (lexer_accept(lexer, '(')) {
        made = make(tree, N_CALL);
        if (made == NONE)
            return NONE;
        strcpy(tree->nodes[made].name, name);
        return parse_arguments(tree, lexer, made);
    }
    made = make(tree, N_NAME);
    if (made != NONE)
        strcpy(tree->nodes[made].name, name);
    return made;
}

static int parse_atom(struct tree *tree, struct lexer *lexer)
{
    if (lexer->token.kind == T_NUMBER) {
        int made = make(tree, N_NUMBER);

        if (made != NONE)
            tree->nodes[made].number = lexer->token.number;
        lexer_next(lexer);
        return made;
    }
    if (lexer->token.kind == T_NAME)
        return parse_name(tree, lexer);
    if (lexer_accept(lexer, '(')) {
        int inner = parse_choice(tree, lexer);

        return lexer_accept(lexer, ')') ? inner : NONE;
    }
    if (lexer_accept(lexer, '-')) {
        int inner = parse_atom(tree, lexer);
        int made = make(tree, N_NEGATE);

        if (inner == NONE || made == NONE)
            return NONE;
        tree->nodes[made].operands[0] = inner;
        tree->nodes[made].count = 1;
        return made;
    }
    return NONE;
}

static int is_one_of(const struct token *token, const char *signs)
{
    return token->kind == T_SIGN && strchr(signs, token->sign) != NULL;
}

static int parse_product(struct tree *tree, struct lexer *lexer)
{
    int left = parse_atom(tree, lexer);

    while (left != NONE && is_one_of(&lexer->token, "*/%")) {
        char sign = lexer->token.sign;

        lexer_next(lexer);
        left = make_binary(tree, sign, left, parse_atom(tree, lexer));
    }
    return left;
}

static int parse_sum(struct tree *tree, struct lexer *lexer)
{
    int left = parse_product(tree, lexer);

    while (left != NONE && is_one_of(&lexer->token, "+-")) {
        char sign = lexer->token.sign;

        lexer_next(lexer);
        left = make_binary(tree, sign, left, parse_product(tree, lexer));
    }
    return left;
}

static int parse_comparison(struct tree *tree, struct lexer *lexer)
{
    int left = parse_sum(tree, lexer);

    if (left != NONE && is_one_of(&lexer->token, "<>!")) {
        char sign = lexer->token.sign;

        lexer_next(lexer);
        left = make_binary(tree, sign, left, parse_sum(tree, lexer));
    }
    return left;
}

/* condition ? value : other value */
static int parse_choice(struct tree *tree, struct lexer *lexer)
{
    int condition = parse_comparison(tree, lexer);
    int first, second, made;

    if (condition == NONE || !lexer_accept(lexer, '?'))
        return condition;
    first = parse_choice(tree, lexer);
    if (first == NONE || !lexer_accept(lexer, ':'))
        return NONE;
    second = parse_choice(tree, lexer);
    made = make(tree, N_CHOICE);
    if (second == NONE || made == NONE)
        return NONE;
    tree->nodes[made].operands[0] = condition;
    tree->nodes[made].operands[1] = first;
    tree->nodes[made].operands[2] = second;
    tree->nodes[made].count = 3;
    return made;
}

static int is_assignment(const char *line, char *target)
{
    struct lexer lexer;

    lexer_begin(&lexer, line);
    if (lexer.token.kind != T_NAME)
        return 0;
    strcpy(target, lexer.token.name);
    lexer_next(&lexer);
    return lexer.token.kind == T_SIGN && lexer.token.sign == '=';
}

enum parsed parse_line(struct tree *tree, const char *line)
{
    struct lexer lexer;

    tree->used = 0;
    lexer_begin(&lexer, line);
    if (lexer.token.kind == T_END)
        return PARSED_NOTHING;
    if (is_assignment(line, tree->target)) {
        lexer_next(&lexer);
        lexer_next(&lexer);
    } else {
        tree->target[0] = '\0';
    }
    tree->root = parse_choice(tree, &lexer);
    return tree->root == NONE || lexer.token.kind != T_END ? PARSE_ERROR : PARSED;
}
