"""The web page for the person who reported the bug, and the one for the programmer.

host = Host(session, held, store, ...)  # a thread that runs the conversation
house = House(store, opener)            # every session that is served, by its links
app = make_app(house, site, actions)    # pages, answers, live news
"""

from learn2fix.web.app import make_app
from learn2fix.web.clock import PatientClock
from learn2fix.web.host import Actions, Host
from learn2fix.web.house import House
from learn2fix.web.links import Links
from learn2fix.web.security import Site
from learn2fix.web.server import serve_forever

__all__ = ["Actions", "Host", "House", "Links", "PatientClock", "Site", "make_app", "serve_forever"]
