"""A main() for one C function that takes more than numbers: words in, Python literals out."""

from __future__ import annotations

from learn2fix.languages.c.harness import is_unsigned
from learn2fix.languages.c.values import Items, Number, Record, Signature, Text, Value
from learn2fix.model import Kind

ROOM = 256
"""Items beyond those that are given, all 0: functions write there."""
HEAD = r"""
#undef main
#include <stdio.h>
#include <stdlib.h>
static char learn2fix_word[1 << 16];
static char *learn2fix_next(void) {
    if (scanf("%65535s", learn2fix_word) != 1) exit(2);
    return learn2fix_word;
}
static char *learn2fix_text(char *to) {
    char *word = learn2fix_next();
    if (*word == '-') return 0;
    unsigned long length = 0;
    while (word[1 + length]) length++;
    if (!to) to = calloc(length / 2 + 256, 1);
    char *at = to;
    for (word++; *word; word += 2) {
        int high = word[0] <= '9' ? word[0] - '0' : word[0] - 'a' + 10;
        int low = word[1] <= '9' ? word[1] - '0' : word[1] - 'a' + 10;
        *at++ = high * 16 + low;
    }
    *at = 0;
    return to;
}
static void learn2fix_show_text(const char *text) {
    if (!text) { printf("None"); return; }
    putchar('\'');
    for (; *text; text++)
        if (*text == '\'' || *text == '\\') printf("\\%c", *text);
        else if (*text == '\n') printf("\\n");
        else if (*text >= 0 && *text < ' ') printf("\\x%02x", *text);
        else putchar(*text);
    putchar('\'');
}
static void learn2fix_show_real(long double value, int narrow) {
    char word[64];
    int digits = narrow ? 6 : 15;
    do snprintf(word, sizeof word, "%.*Lg", digits, value);
    while ((narrow ? (float)strtold(word, 0) != (float)value : (double)strtold(word, 0) != (double)value)
           && ++digits <= 17);
    printf("%s", word);
}
"""


def value_harness(function: Signature) -> bytes:
    """C text to append to the source: a main() that reads the arguments, calls, and prints what came out."""
    body: list[str] = []
    for number, parameter in enumerate(function.parameters):
        body += _declared(f"learn2fix_{number}", parameter.type)
    arguments = ", ".join(f"learn2fix_{number}" for number in range(len(function.parameters)))
    call = f"{function.name}({arguments})"
    shown: list[list[str]] = []
    if function.result is None:
        body.append(f"{call};")
    else:
        body.append(f"{_written(function.result)} learn2fix_result = {call};")
        shown.append(_show("learn2fix_result", function.result))
    for number, parameter in enumerate(function.parameters):
        if parameter.answers:
            shown.append([f'printf("{parameter.name}=");', *_show(f"learn2fix_{number}", parameter.type)])
    for number, lines in enumerate(shown):
        body += [*(['printf(", ");'] if number else []), *lines]
    body += ['printf("\\n");', "return 0;"]
    return "\n".join([HEAD, "int main(void) {", *(f"    {line}" for line in body), "}", ""]).encode()


def _written(type: Value) -> str:
    return (
        "char *" if isinstance(type, Text) else type.written if isinstance(type, Number | Record) else "void"
    )


def _declared(name: str, type: Value) -> list[str]:
    """Lines that make a variable of what stands next on stdin."""
    if isinstance(type, Text):
        return [f"char *{name} = learn2fix_text(0);"]
    if isinstance(type, Items):
        written, count = type.of.written, f"{name}_count"
        return [
            "learn2fix_next();",
            f"int {name}_kind = *learn2fix_word;",
            f"long {count} = {name}_kind == '-' ? 0 : strtol(learn2fix_word + 1, 0, 10);",
            f"{written} *{name} = {name}_kind == '-' ? 0 :",
            f"    calloc({count} + {max(ROOM, type.size)}, sizeof({written}));",
            f"for (long learn2fix_i = 0; learn2fix_i < {count}; learn2fix_i++) {{",
            *_read(f"{name}[learn2fix_i]", type.of),
            "}",
        ]
    return [f"{type.written} {name};", *_read(name, type)]


def _read(place: str, type: Value) -> list[str]:
    match type:
        case Number(written, Kind.REAL):
            return [f"{place} = ({written})strtold(learn2fix_next(), 0);"]
        case Number(written, _):
            reader = "strtoull" if is_unsigned(written) else "strtoll"
            return [f"{place} = ({written}){reader}(learn2fix_next(), 0, 10);"]
        case Text():
            return [f"learn2fix_text({place});"]
        case Record(_, members):
            return [line for name, member in members for line in _read(f"{place}.{name}", member)]
        case Items():
            return []


def _show(place: str, type: Value) -> list[str]:
    match type:
        case Number(written, Kind.REAL):
            return [f"learn2fix_show_real({place}, {int(written == 'float')});"]
        case Number(written, _):
            if is_unsigned(written):
                return [f'printf("%llu", (unsigned long long){place});']
            return [f'printf("%lld", (long long){place});']
        case Text():
            return [f"learn2fix_show_text({place});"]
        case Record(_, members):
            lines = ['printf("{");']
            for number, (name, member) in enumerate(members):
                lines += [
                    f"printf(\"{', ' if number else ''}'{name}': \");",
                    *_show(f"{place}.{name}", member),
                ]
            return [*lines, 'printf("}");']
        case Items(of, _):
            one = f"{place}_kind == 'v'"
            return [
                f"if ({place}_kind == '-') printf(\"None\"); else {{",
                f'if (!({one})) printf("[");',
                f"for (long learn2fix_i = 0; learn2fix_i < {place}_count; learn2fix_i++) {{",
                'if (learn2fix_i) printf(", ");',
                *_show(f"{place}[learn2fix_i]", of),
                "}",
                f'if (!({one})) printf("]");',
                "}",
            ]
