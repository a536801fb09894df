#include "match.h"

#include <stdio.h>

enum result match_result(const struct match *match)
{
    if (match->home_goals > match->away_goals)
        return HOME_WINS;
    if (match->home_goals < match->away_goals)
        return AWAY_WINS;
    return DRAW;
}

static int is_team(int number, int teams)
{
    return number >= 1 && number <= teams;
}

int match_is_valid(const struct match *match, int teams)
{
    if (!is_team(match->home, teams) || !is_team(match->away, teams))
        return 0;
    if (match->home == match->away)
        return 0;
    return match->home_goals >= 0 && match->away_goals >= 0;
}

int match_read(struct match *match)
{
    return scanf("%d %d %d %d", &match->home, &match->away, &match->home_goals, &match->away_goals) == 4;
}
