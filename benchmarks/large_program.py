"""A C program of any size, made anew each time: rules of a warehouse, of which a run executes a few."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

HEAD = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS 8
#define NAME 24

enum state { EMPTY, OPEN, FULL, CLOSED };

struct bin {
    int level;
    int limit;
    enum state state;
    char name[NAME];
};

struct store {
    struct bin bins[ITEMS];
    int used;
    long total;
};

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int put(struct bin *bin, int amount)
{
    int room = bin->limit - bin->level;
    int taken = least(room, amount);

    if (taken < 0)
        return 0;
    bin->level += taken;
    bin->state = bin->level == bin->limit ? FULL : OPEN;
    return taken;
}
"""

BUG = """
/* Who orders ten or more pays for nine tenths of it. */
static int price(int pieces, int each)
{
    int sum = pieces * each;

    if (pieces > 10)
        sum -= sum / 10;
    return sum;
}
"""


def _table(n: int, rng: random.Random) -> str:
    values = ", ".join(str(rng.randint(1, 40)) for _ in range(8))
    return f"""
static const int weights_{n}[] = {{{values}}};

/* The weight of a place, its neighbour's where it has none. */
static int rule_{n}(struct store *store, int value)
{{
    int sum = 0;
    int place;

    for (place = 0; place < ITEMS; place++) {{
        int weight = weights_{n}[place];

        if (weight > {rng.randint(5, 35)} && store->bins[place].state != CLOSED)
            sum += weight * (value % {rng.randint(2, 9)});
        else
            sum += store->bins[(place + 1) % ITEMS].level;
    }}
    store->total += sum;
    return sum;
}}
"""


def _switch(n: int, rng: random.Random) -> str:
    cases = "".join(
        f"""    case {number}:
        found += {rng.randint(1, 50)};
        break;
"""
        for number in range(rng.randint(3, 6))
    )
    return f"""
/* What a kind of goods adds to the costs. */
static int rule_{n}(struct store *store, int value)
{{
    int found = value;

    switch (abs(value) % {rng.randint(5, 9)}) {{
{cases}    default:
        found -= store->used;
        break;
    }}
    if (found < 0)
        found = -found;
    return found;
}}
"""


def _text(n: int, rng: random.Random) -> str:
    return f"""
/* A label such as "bin-3/open"; how long it is. */
static int rule_{n}(struct store *store, int value)
{{
    static const char *const words[] = {{"empty", "open", "full", "closed"}};
    char label[NAME + 32];
    struct bin *bin = &store->bins[abs(value) % ITEMS];
    int length;

    snprintf(label, sizeof label, "%s-{n}/%s", bin->name, words[bin->state]);
    length = (int)strlen(label);
    while (length > {rng.randint(6, 12)} && label[length - 1] != '/')
        length--;
    label[length] = '\\0';
    if (strcmp(label, bin->name) == 0)
        return 0;
    return length;
}}
"""


def _fill(n: int, rng: random.Random) -> str:
    return f"""
/* Spreads what comes in, the emptiest bins first. */
static int rule_{n}(struct store *store, int value)
{{
    int left = abs(value) % {rng.randint(50, 200)};
    int place = {rng.randint(0, 7)};
    int turns;

    for (turns = 0; turns < ITEMS && left > 0; turns++) {{
        struct bin *bin = &store->bins[place];

        if (bin->state == EMPTY || bin->level < bin->limit / 2) {{
            int taken = put(bin, least(left, {rng.randint(3, 20)}));

            left -= taken;
            store->total += taken;
        }}
        place = (place + {rng.choice((1, 3, 5))}) % ITEMS;
    }}
    return left;
}}
"""


def _nested(n: int, rng: random.Random) -> str:
    return f"""
/* How many pairs of bins differ by more than they may. */
static int rule_{n}(struct store *store, int value)
{{
    int count = 0;
    int i, j;

    for (i = 0; i < store->used; i++) {{
        for (j = i + 1; j < store->used; j++) {{
            int apart = store->bins[i].level - store->bins[j].level;

            if (apart < 0)
                apart = -apart;
            if (apart > value % {rng.randint(3, 30)} || apart == {rng.randint(1, 9)})
                count++;
        }}
    }}
    return count;
}}
"""


SHAPES: tuple[Callable[[int, random.Random], str], ...] = (_table, _switch, _text, _fill, _nested)

MAIN = """
static void prepare(struct store *store)
{{
    int place;

    memset(store, 0, sizeof *store);
    for (place = 0; place < ITEMS; place++) {{
        store->bins[place].limit = 20 + 5 * place;
        snprintf(store->bins[place].name, NAME, "bin%d", place);
    }}
    store->used = ITEMS;
}}

int main(void)
{{
    struct store store;
    int pieces, each, rule;
    int costs = 0;

    prepare(&store);
    if (scanf("%d %d %d", &pieces, &each, &rule) != 3)
        return 1;
    if (pieces < 0 || each < 0)
        return 1;
    switch (rule) {{
{calls}    default:
        break;
    }}
{always}    printf("%d %d\\n", price(pieces, each), costs);
    return 0;
}}
"""

ALWAYS = 8
"""Each so many-th rule is applied in every run."""


@dataclass(frozen=True, slots=True)
class LargeProgram:
    """A program with a bug, the same without it, and an input that shows it."""

    buggy: str
    golden: str
    failing: str
    expected: str


def large_program(lines: int, seed: int = 1) -> LargeProgram:
    """Of at least so many lines."""
    rng = random.Random(seed)
    pieces, count, number = [HEAD], HEAD.count("\n") + 45, 0
    while count < lines:
        if number == 3:
            pieces.append(BUG)
        shape = SHAPES[number % len(SHAPES)](number, rng)
        pieces.append(shape)
        # Each rule is called by a line or three of main().
        count += shape.count("\n") + (1 if number % ALWAYS == 0 else 3)
        number += 1
    calls = "".join(
        f"    case {n}:\n        costs += rule_{n}(&store, pieces);\n        break;\n"
        for n in range(number)
        if n % ALWAYS
    )
    always = "".join(f"    costs += rule_{n}(&store, each);\n" for n in range(0, number, ALWAYS))
    buggy = "".join(pieces) + MAIN.format(calls=calls, always=always)
    golden = buggy.replace("if (pieces > 10)", "if (pieces >= 10)")
    assert golden != buggy
    return LargeProgram(buggy, golden, "10 3 2", "27")
