#include "letters.h"

#include <stdio.h>

static const struct grade {
    int from;
    char letter;
} grades[] = {
    {9, 'A'},
    {7, 'B'},
    {5, 'C'},
    {3, 'D'},
    {0, 'E'},
};

static const int grade_count = sizeof grades / sizeof *grades;

char letter_of(int mark)
{
    if (mark < 0 || mark > 10)
        return '?';
    for (int i = 0; i < grade_count; i++)
        if (mark >= grades[i].from)
            return grades[i].letter;
    return '?';
}

static int occurs(const int *values, int count, char letter)
{
    int found = 0;

    for (int i = 0; i < count; i++)
        if (letter_of(values[i]) == letter)
            found++;
    return found;
}

void letters_print(const int *values, int count)
{
    for (int i = 0; i < grade_count; i++) {
        int stars = occurs(values, count, grades[i].letter);

        if (stars == 0)
            continue;
        printf("%c ", grades[i].letter);
        for (int star = 0; star < stars; star++)
            putchar('*');
        putchar('\n');
    }
}
