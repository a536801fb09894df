#ifndef SETTING_H
#define SETTING_H

#include "line.h"

/* Each writes a line into `text`, which has room for the widest one. */
void set_left(const struct line *line, char *text);
void set_right(const struct line *line, int width, char *text);
void set_centred(const struct line *line, int width, char *text);

/* Spaces are shared out evenly; what is left over goes to the first gaps. */
void set_block(const struct line *line, int width, char *text);

#endif
