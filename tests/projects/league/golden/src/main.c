/* Reads how many teams and matches there are, then each match as home team, away team and the goals of both.
 * Prints the table. */
#include <stdio.h>

#include "match.h"
#include "print.h"
#include "table.h"

enum { MOST_MATCHES = 400 };

int main(void)
{
    struct table table;
    int teams, matches;

    if (scanf("%d %d", &teams, &matches) != 2) {
        printf("how many teams and matches?\n");
        return 2;
    }
    if (teams < 2 || teams > MOST_TEAMS || matches < 0 || matches > MOST_MATCHES) {
        printf("no such league\n");
        return 2;
    }
    table_begin(&table, teams);
    for (int i = 0; i < matches; i++) {
        struct match match;

        if (!match_read(&match) || !match_is_valid(&match, teams)) {
            printf("match %d makes no sense\n", i + 1);
            return 1;
        }
        table_count(&table, &match);
    }
    table_sort(&table);
    print_table(&table);
    return 0;
}
