"""Learning from labels alone: the paper's loop, and ours for programs without source."""
