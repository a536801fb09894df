#!/bin/sh
# Each tests/NAME.in must give tests/NAME.out.
status=0
for input in tests/*.in; do
    if ! ./payroll < "$input" | cmp -s - "${input%.in}.out"; then
        echo "FAIL $input"
        status=1
    fi
done
exit $status
