"""What belongs to one language: a folder each. `opening` says which one a PROGRAM means."""
