#include "lexer.h"

#include <ctype.h>
#include <string.h>

static const char signs[] = "+-*/%()=<>!,?:";

static void read_number(struct lexer *lexer)
{
    long number = 0;

    while (isdigit((unsigned char)*lexer->at)) {
        number = number * 10 + (*lexer->at - '0');
        lexer->at++;
    }
    lexer->token.kind = T_NUMBER;
    lexer->token.number = number;
}

static void read_name(struct lexer *lexer)
{
    int length = 0;

    while (isalnum((unsigned char)*lexer->at) || *lexer->at == '_') {
        if (length < LONGEST_NAME)
            lexer->token.name[length++] = *lexer->at;
        lexer->at++;
    }
    lexer->token.name[length] = '\0';
    lexer->token.kind = T_NAME;
}

void lexer_next(struct lexer *lexer)
{
    while (*lexer->at == ' ' || *lexer->at == '\t')
        lexer->at++;
    if (*lexer->at == '\0' || *lexer->at == '\n' || *lexer->at == '#') {
        lexer->token.kind = T_END;
    } else if (isdigit((unsigned char)*lexer->at)) {
        read_number(lexer);
    } else if (isalpha((unsigned char)*lexer->at)) {
        read_name(lexer);
    } else if (strchr(signs, *lexer->at) != NULL) {
        lexer->token.kind = T_SIGN;
        lexer->token.sign = *lexer->at++;
    } else {
        lexer->token.kind = T_BAD;
    }
}

void lexer_begin(struct lexer *lexer, const char *line)
{
    lexer->at = line;
    lexer_next(lexer);
}

int lexer_accept(struct lexer *lexer, char sign)
{
    if (lexer->token.kind != T_SIGN || lexer->token.sign != sign)
        return 0;
    lexer_next(lexer);
    return 1;
}
