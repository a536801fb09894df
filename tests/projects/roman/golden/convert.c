#include "convert.h"

#include <string.h>

#include "digits.h"

static const int digit_count = sizeof digits / sizeof *digits;

void to_roman(int number, char *to)
{
    to[0] = '\0';
    for (int i = 0; i < digit_count; i++) {
        while (number >= digits[i].value) {
            strcat(to, digits[i].text);
            number -= digits[i].value;
        }
    }
}
