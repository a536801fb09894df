/* Reads the width of a page and how its lines are set (1 left, 2 right, 3 centred, 4 block), then words up to the
 * end. Prints them in lines that are not longer than the width. */
#include <stdio.h>

#include "page.h"

static int is_style(int number)
{
    return number >= STYLE_LEFT && number <= STYLE_BLOCK;
}

int main(void)
{
    struct page page;
    char word[MOST_LETTERS + 1];
    int width, style;

    if (scanf("%d %d", &width, &style) != 2 || width < 4 || width > WIDEST || !is_style(style)) {
        printf("bad page\n");
        return 1;
    }
    page_begin(&page, width, (enum style)style);
    while (scanf("%31s", word) == 1)
        page_word(&page, word);
    page_end(&page);
    printf("lines: %d\n", page.lines);
    return 0;
}
