"""From requirements to ranked patches that were built and checked the way the user builds."""

from learn2fix.repair.offering import Offer, Repairable, offer

__all__ = ["Offer", "Repairable", "offer"]
