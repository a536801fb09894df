"""What is put beside a script of the user's: standard library only, any Python."""
