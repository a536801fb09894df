"""A sandboxed process outlives the thread that asked for it."""

from __future__ import annotations

import threading
import time

from learn2fix.sandbox import Limits, Sandbox
from learn2fix.sandbox.link import Link


def test_a_process_started_in_a_thread_that_ended_still_answers() -> None:
    started: list[Link] = []
    with Sandbox() as sandbox:
        cat = ["/bin/cat"]
        thread = threading.Thread(target=lambda: started.append(sandbox.connect(cat, limits=Limits())))
        thread.start()
        thread.join()
        time.sleep(0.2)  # a signal that came with the end of the thread would have arrived by now
        started[0].send(b"still here")
        assert started[0].read(10) == b"still here"
