"""Sessions on disk: acknowledged answers are never lost, damage is detected, one process at a time.

store = Store(default_home(os.environ))
with store.create(record) as session:
    session.append(question, answer)     # returned: it is on the disk
"""

from learn2fix.store.saved import Exchange, Opinion, Record, Saved
from learn2fix.store.sessions import OpenSession, Store, default_home

__all__ = ["Exchange", "OpenSession", "Opinion", "Record", "Saved", "Store", "default_home"]
