#ifndef PAGE_H
#define PAGE_H

#include "line.h"

enum style { STYLE_LEFT = 1, STYLE_RIGHT, STYLE_CENTRED, STYLE_BLOCK };

/* A page that is being filled. */
struct page {
    int width;
    enum style style;
    int lines;
    struct line line;
};

void page_begin(struct page *page, int width, enum style style);

/* A word that is longer than the page is wide is cut into pieces. */
void page_word(struct page *page, const char *word);

/* The last line of a block is set left. */
void page_end(struct page *page);

#endif
