"""Every engine passes one suite: processes of this machine, and a Dask cluster."""

from __future__ import annotations

from contextlib import AbstractContextManager

import pytest

from engine_conformance import EngineConformance
from learn2fix.experiments.engine import Engine, open_engine


class TestLocalEngine(EngineConformance):
    @staticmethod
    def open() -> AbstractContextManager[Engine]:
        return open_engine("local", 2)


class TestDaskEngine(EngineConformance):
    """A cluster of this machine, made because none is named."""

    @staticmethod
    def open() -> AbstractContextManager[Engine]:
        pytest.importorskip("distributed")
        return open_engine("dask", 2)
