"""Reads how many amounts there are, then the amounts; prints their total."""

import sys

words = sys.stdin.read().split()
count = int(words[0])
amounts = [int(word) for word in words[:]]
print(sum(amounts[:count]))
