"""What holds for every test."""

from __future__ import annotations

import signal

# A run started in the background of a shell inherits an ignored SIGINT, and so would the programs that tests
# start and interrupt. They are to meet what a user's terminal gives them.
signal.signal(signal.SIGINT, signal.default_int_handler)
