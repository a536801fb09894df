"""The space of candidate patches, and how a patch is shown."""

from learn2fix.patching.diff import describe, patch_of, taken_back, unified_diff
from learn2fix.patching.minimise import minimise
from learn2fix.patching.protocol import Generator, Hints

__all__ = ["Generator", "Hints", "describe", "minimise", "patch_of", "taken_back", "unified_diff"]
