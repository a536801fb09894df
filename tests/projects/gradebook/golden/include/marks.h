#pragma once

typedef struct {
    int values[MOST_MARKS];
    int count;
} marks;

typedef enum { MARKS_OK, MARKS_EMPTY, MARKS_BAD } marks_status;

marks_status marks_read(marks *into);
void marks_sort(marks *all);
