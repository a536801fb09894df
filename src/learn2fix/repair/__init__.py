"""From requirements to ranked patches that were built and checked the way the user builds."""
