"""An embedder that waits, for tests of what can be seen and done meanwhile."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from fiuto.embed.static import StaticEmbedder


class Slow:
    """Holds an index run at its first call of the model."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls = 0
        self.reached = threading.Event()
        self.gate = threading.Event()
        real = StaticEmbedder.embed

        def embed(embedder: StaticEmbedder, texts: Any, role: Any) -> Any:
            if role == "document":
                self.calls += 1
                if self.calls == 2:
                    self.reached.set()
                    assert self.gate.wait(20)
            return real(embedder, texts, role)

        monkeypatch.setattr(StaticEmbedder, "embed", embed)
