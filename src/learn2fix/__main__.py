"""`python -m learn2fix`."""

from learn2fix.cli import main

if __name__ == "__main__":
    main()
