"""The experiments of the paper, on Codeflaws or on any folder of subjects: plan, engine, rows, report."""
