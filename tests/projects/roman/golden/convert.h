#ifndef CONVERT_H
#define CONVERT_H

#define LARGEST 3999

/* Writes a number from 1 to LARGEST into `to`, which has room for 16 letters. */
void to_roman(int number, char *to);

#endif
