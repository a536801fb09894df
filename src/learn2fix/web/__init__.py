"""The web page for the person who reported the bug, and the one for the programmer.

host = Host(session, held, store, ...)  # a thread that runs the conversation
registry = Registry(store, opener)      # the sessions that are served, by their links
app = make_app(registry, site, actions) # pages, answers, event streams
"""

from learn2fix.web.app import make_app
from learn2fix.web.host import Actions, Host
from learn2fix.web.links import Links
from learn2fix.web.registry import Registry
from learn2fix.web.security import Site
from learn2fix.web.server import serve_forever

__all__ = ["Actions", "Host", "Links", "Registry", "Site", "make_app", "serve_forever"]
