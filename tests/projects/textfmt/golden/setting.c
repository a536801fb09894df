#include "setting.h"

#include <string.h>

static char *put_spaces(char *to, int count)
{
    for (int i = 0; i < count; i++)
        *to++ = ' ';
    return to;
}

static char *put_word(char *to, const char *word)
{
    while (*word != '\0')
        *to++ = *word++;
    return to;
}

static char *put_words(char *to, const struct line *line)
{
    for (int i = 0; i < line->count; i++) {
        if (i > 0)
            to = put_spaces(to, 1);
        to = put_word(to, line->words[i]);
    }
    return to;
}

void set_left(const struct line *line, char *text)
{
    *put_words(text, line) = '\0';
}

void set_right(const struct line *line, int width, char *text)
{
    char *to = put_spaces(text, width - line_length(line));

    *put_words(to, line) = '\0';
}

void set_centred(const struct line *line, int width, char *text)
{
    char *to = put_spaces(text, (width - line_length(line)) / 2);

    *put_words(to, line) = '\0';
}

void set_block(const struct line *line, int width, char *text)
{
    int gaps = line->count - 1;
    int spaces = width - line->letters;
    char *to = text;

    for (int i = 0; i < line->count; i++) {
        if (i > 0) {
            int share = spaces / gaps;

            if (i <= spaces % gaps)
                share++;
            to = put_spaces(to, share);
        }
        to = put_word(to, line->words[i]);
    }
    *to = '\0';
}
