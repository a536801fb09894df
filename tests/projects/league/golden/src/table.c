#include "table.h"

void table_begin(struct table *table, int teams)
{
    table->teams = teams;
    for (int i = 0; i < teams; i++) {
        struct standing *standing = &table->standings[i];

        standing->team = i + 1;
        standing->played = 0;
        standing->won = standing->drawn = standing->lost = 0;
        standing->scored = standing->conceded = 0;
    }
}

static void count_goals(struct standing *standing, int scored, int conceded)
{
    standing->played++;
    standing->scored += scored;
    standing->conceded += conceded;
}

void table_count(struct table *table, const struct match *match)
{
    struct standing *home = &table->standings[match->home - 1];
    struct standing *away = &table->standings[match->away - 1];

    count_goals(home, match->home_goals, match->away_goals);
    count_goals(away, match->away_goals, match->home_goals);
    switch (match_result(match)) {
    case HOME_WINS:
        home->won++;
        away->lost++;
        break;
    case AWAY_WINS:
        away->won++;
        home->lost++;
        break;
    case DRAW:
        home->drawn++;
        away->drawn++;
        break;
    }
}

int standing_points(const struct standing *standing)
{
    return WIN * standing->won + standing->drawn;
}

int standing_difference(const struct standing *standing)
{
    return standing->scored - standing->conceded;
}

/* Whether the first is better than the second. */
static int is_better(const struct standing *a, const struct standing *b)
{
    if (standing_points(a) != standing_points(b))
        return standing_points(a) > standing_points(b);
    if (standing_difference(a) != standing_difference(b))
        return standing_difference(a) > standing_difference(b);
    if (a->scored != b->scored)
        return a->scored > b->scored;
    return a->team < b->team;
}

void table_sort(struct table *table)
{
    for (int i = 1; i < table->teams; i++) {
        struct standing moved = table->standings[i];
        int place = i;

        while (place > 0 && is_better(&moved, &table->standings[place - 1])) {
            table->standings[place] = table->standings[place - 1];
            place--;
        }
        table->standings[place] = moved;
    }
}
