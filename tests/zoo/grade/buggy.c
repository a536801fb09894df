/* Points to a grade: A from 90, B from 70, else C. */
#include <stdio.h>

int main(void) {
    int points;
    char grade;
    scanf("%d", &points);
    if (points >= 90)
        grade = 'A';
    if (points >= 70)
        grade = 'B';
    else
        grade = 'C';
    printf("%c\n", grade);
    return 0;
}
