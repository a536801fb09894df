#include "line.h"

#include <string.h>

void line_clear(struct line *line)
{
    line->count = 0;
    line->letters = 0;
}

int line_length(const struct line *line)
{
    int spaces = line->count > 0 ? line->count - 1 : 0;

    return line->letters + spaces;
}

int line_fits(const struct line *line, const char *word, int width)
{
    if (line->count == 0)
        return 1;
    return line_length(line) + 1 + (int)strlen(word) <= width;
}

void line_add(struct line *line, const char *word)
{
    strncpy(line->words[line->count], word, MOST_LETTERS);
    line->words[line->count][MOST_LETTERS] = '\0';
    line->letters += (int)strlen(line->words[line->count]);
    line->count++;
}
