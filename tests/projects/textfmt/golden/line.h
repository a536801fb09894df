#ifndef LINE_H
#define LINE_H

#define WIDEST 80
#define MOST_LETTERS 31

/* The words of one line. */
struct line {
    int count;
    int letters; /* of all words, without spaces */
    char words[WIDEST][MOST_LETTERS + 1];
};

void line_clear(struct line *line);

/* Whether a further word has room in a line of some width; the first one always has. */
int line_fits(const struct line *line, const char *word, int width);

void line_add(struct line *line, const char *word);

/* How long the line is with one space between two words. */
int line_length(const struct line *line);

#endif
