#ifndef MATCH_H
#define MATCH_H

enum result { HOME_WINS, AWAY_WINS, DRAW };

struct match {
    int home, away;
    int home_goals, away_goals;
};

enum result match_result(const struct match *match);

/* 0 for a team that plays itself, or goals below none. */
int match_is_valid(const struct match *match, int teams);

/* Reads one from standard input; 0 where there is none. */
int match_read(struct match *match);

#endif
