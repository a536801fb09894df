#pragma once

/* A letter for a mark from 0 to 10; '?' for others. */
char letter_of(int mark);

/* Writes a bar of stars for each letter that occurs, one a line. */
void letters_print(const int *values, int count);
