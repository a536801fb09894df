"""A sandboxed process outlives the thread that asked for it."""

from __future__ import annotations

import subprocess
import threading
import time

from learn2fix.sandbox import Limits, Sandbox


def test_a_process_started_in_a_thread_that_ended_still_answers() -> None:
    started: list[subprocess.Popen[bytes]] = []
    with Sandbox() as sandbox:
        thread = threading.Thread(target=lambda: started.append(sandbox.popen(["/bin/cat"], limits=Limits())))
        thread.start()
        thread.join()
        time.sleep(0.2)  # a signal that came with the end of the thread would have arrived by now
        process = started[0]
        output, _ = process.communicate(b"still here")
        assert output == b"still here"
        assert process.returncode == 0
