"""What all languages share about edits: their form, their order, and how a patch is shown."""
