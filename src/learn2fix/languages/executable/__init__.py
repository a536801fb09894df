"""Programs without source: they can be asked about, not repaired."""
