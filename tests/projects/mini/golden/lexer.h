#ifndef LEXER_H
#define LEXER_H

#define LONGEST_NAME 15

enum token_kind { T_END, T_NUMBER, T_NAME, T_SIGN, T_BAD };

struct token {
    enum token_kind kind;
    long number;
    char name[LONGEST_NAME + 1];
    char sign;
};

/* Where one is in a line. */
struct lexer {
    const char *at;
    struct token token;
};

/* The first token of a line. */
void lexer_begin(struct lexer *lexer, const char *line);

/* The one after. */
void lexer_next(struct lexer *lexer);

/* Goes on behind a sign where it is the next token; 0 where it is not. */
int lexer_accept(struct lexer *lexer, char sign);

#endif
