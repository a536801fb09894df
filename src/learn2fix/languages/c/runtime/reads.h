/* Included ahead of a program whose reads are recorded (reads.c): tells each reading call the text of its arguments,
 * which holds the names of the variables that are read into. Of a character that is returned, the line (@12) tells.
 *
 * READS_NAMED: 2 for all of these functions; 1 where the program has functions of its own by some of the names. */
#include <stdio.h>

void l2f_arguments(const char *text);

#if READS_NAMED >= 1
#define scanf(...) (l2f_arguments(#__VA_ARGS__), scanf(__VA_ARGS__))
#define fscanf(...) (l2f_arguments(#__VA_ARGS__), fscanf(__VA_ARGS__))
#endif
#if READS_NAMED >= 2
#define gets(...) (l2f_arguments(#__VA_ARGS__), gets(__VA_ARGS__))
#define fgets(...) (l2f_arguments(#__VA_ARGS__), fgets(__VA_ARGS__))
#define getline(...) (l2f_arguments(#__VA_ARGS__), getline(__VA_ARGS__))
#define getdelim(...) (l2f_arguments(#__VA_ARGS__), getdelim(__VA_ARGS__))
#define fread(...) (l2f_arguments(#__VA_ARGS__), fread(__VA_ARGS__))
#define L2F_TEXT(x) #x
#define L2F_LINE(x) L2F_TEXT(@x)
#define getchar(...) (l2f_arguments(L2F_LINE(__LINE__)), getchar(__VA_ARGS__))
#define getc(...) (l2f_arguments(L2F_LINE(__LINE__)), getc(__VA_ARGS__))
#define fgetc(...) (l2f_arguments(L2F_LINE(__LINE__)), fgetc(__VA_ARGS__))
#define getchar_unlocked(...) (l2f_arguments(L2F_LINE(__LINE__)), getchar_unlocked(__VA_ARGS__))
#endif
