"""What holds for every test, and the sandboxes that attackers meet."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from attackers import use_a_reachable_python
from learn2fix.errors import IsolationError
from learn2fix.sandbox import Limits, Program, Sandbox, probe

# A run started in the background of a shell inherits an ignored SIGINT, and so would the programs that tests
# start and interrupt. They are to meet what a user's terminal gives them.
signal.signal(signal.SIGINT, signal.default_int_handler)

# `make test` draws the same examples every time; `make fuzz` looks for new ones.
# A busy machine fails no test; fuzzing draws values by Hypothesis itself (fuzzing/strategies.py).
untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.nested_given])
settings.register_profile("ci", untimed, derandomize=True)
settings.register_profile("fuzz", untimed, max_examples=1000, print_blob=True)
settings.load_profile("ci")


@pytest.fixture(scope="session", autouse=True)
def plain_pytest() -> Iterator[None]:
    """Tests that start pytest themselves wait for none of the plugins that are installed here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        yield


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--kills", type=int, default=6, help="how often test_kills.py kills each of its victims")
    parser.addoption("--hits", type=int, default=8, help="sessions that test_helpers_hit.py disturbs")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("attackers")


@pytest.fixture(params=[None, "landlock+seccomp", "limits"])
def sandbox(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sandbox]:
    try:
        with Sandbox(Limits(seconds=3.0), isolation=request.param) as box:
            box.run(Program(("/bin/true",)))
            use_a_reachable_python(box, monkeypatch)
            yield box
    except IsolationError as error:
        if all(one.works for one in probe().observed):
            raise  # what is not there must be reported as not there
        pytest.skip(f"{request.param} does not exist here: {error}")


@pytest.fixture
def mark(request: pytest.FixtureRequest) -> str:
    return f"mark-{os.getpid()}-{time.monotonic_ns()}"
