"""The loop that asks and records, and the protocol of a strategy."""
