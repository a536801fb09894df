"""When does the bug show? From labelled points to readable formulas, trees, and votes of patches."""
