"""Calls noted while a command of the user's runs, such as a test."""
