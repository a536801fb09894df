"""Candidate patches as hypotheses: they choose the questions, and answers remove them."""
