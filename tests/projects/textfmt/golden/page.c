#include "page.h"

#include <stdio.h>
#include <string.h>

#include "setting.h"

void page_begin(struct page *page, int width, enum style style)
{
    page->width = width;
    page->style = style;
    page->lines = 0;
    line_clear(&page->line);
}

static void print_line(struct page *page, enum style style)
{
    char text[WIDEST + 1];

    switch (style) {
    case STYLE_RIGHT:
        set_right(&page->line, page->width, text);
        break;
    case STYLE_CENTRED:
        set_centred(&page->line, page->width, text);
        break;
    case STYLE_BLOCK:
        set_block(&page->line, page->width, text);
        break;
    default:
        set_left(&page->line, text);
        break;
    }
    printf("|%s\n", text);
    page->lines++;
    line_clear(&page->line);
}

static void put_piece(struct page *page, const char *piece)
{
    if (!line_fits(&page->line, piece, page->width))
        print_line(page, page->style);
    line_add(&page->line, piece);
}

void page_word(struct page *page, const char *word)
{
    char piece[WIDEST + 1];

    while ((int)strlen(word) > page->width) {
        memcpy(piece, word, (size_t)page->width);
        piece[page->width] = '\0';
        put_piece(page, piece);
        word += page->width;
    }
    if (*word != '\0')
        put_piece(page, word);
}

void page_end(struct page *page)
{
    if (page->line.count == 0)
        return;
    print_line(page, page->style == STYLE_BLOCK ? STYLE_LEFT : page->style);
}
