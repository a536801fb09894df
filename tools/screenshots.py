"""Makes the pictures of docs/screenshots: the triangle, answered in a browser (`make screenshots`)."""

from __future__ import annotations

import contextlib
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from playwright.sync_api import Page  # noqa: E402

from learn2fix.cli.opening import Answerer, create  # noqa: E402
from learn2fix.cli.options import options_of  # noqa: E402
from learn2fix.store import Store  # noqa: E402
from learn2fix.web.telemetry import Telemetry  # noqa: E402
from web_browser import DESKTOP, PHONE, answer_in, browser, rows  # noqa: E402
from web_server import running  # noqa: E402

OUT = ROOT / "docs/screenshots"
SHOP = """def price(qty, unit):
    total = qty * unit
    if qty > 10:
        total = total * 9 // 10
    return total
"""


def hide_link(page: Page) -> None:
    """It is a secret of this machine and of no use in a picture."""
    page.evaluate("document.getElementById('reporter-link').value = 'http://127.0.0.1:8734/r/…/'")


def another_session(folder: Path) -> None:
    """Begun and left alone, so that there is a list to choose from."""
    source = folder / "shop.py"
    source.write_text("def discount(price, qty):\n    return price * qty * (9 if qty > 10 else 10) // 10\n")
    with contextlib.chdir(folder):
        words, options = ("shop.py:discount",), options_of({"seed": 1})
        session, held = create(Store(folder / "home"), words, ("100, 10",), options, Answerer(), Telemetry())
    with session, held:
        pass


def several_fixes() -> None:
    """After one answer only, so that there is something to choose between."""
    with tempfile.TemporaryDirectory() as folder, browser() as chromium:
        work = Path(folder, "work")
        work.mkdir()
        (work / "shop.py").write_text(SHOP)
        call, known = "10, 5", {"learner": None, "labels": 1, "expected": "45"}
        with running(Path(folder), program="shop.py:price", failing=call, **known) as site:
            reporter = chromium.new_page(viewport=DESKTOP)
            reporter.goto(site.origin + site.reporter)
            reporter.wait_for_selector("#question:not([hidden])", timeout=60_000)
            reporter.keyboard.press("n")
            watcher = chromium.new_page(viewport=DESKTOP)
            watcher.goto(site.origin + site.programmer)
            watcher.wait_for_selector("#beside:not([hidden])", timeout=60_000)
            patches = watcher.locator("section", has=watcher.locator("#h-patches"))
            patches.screenshot(path=OUT / "side-by-side.png")


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        browser() as chromium,
        contextlib.ExitStack() as stack,
    ):
        another_session(Path(folder))
        site = stack.enter_context(running(Path(folder), labels=10, learner=None))
        reporter = chromium.new_page(viewport=DESKTOP)
        reporter.goto(site.origin + site.reporter)
        reporter.wait_for_selector("#question:not([hidden])", timeout=60_000)
        reporter.screenshot(path=OUT / "reporter.png", full_page=True)
        phone = chromium.new_page(viewport=PHONE, color_scheme="dark")
        phone.goto(site.origin + site.reporter)
        phone.wait_for_selector("#question:not([hidden])")
        phone.screenshot(path=OUT / "reporter-phone.png", full_page=True)
        phone.close()
        watcher = chromium.new_page(viewport=DESKTOP)
        watcher.goto(site.origin + site.programmer)
        answer_in(reporter, most=2)
        reporter.wait_for_selector("#question:not([hidden])", timeout=60_000)
        rows(watcher, 2)
        watcher.get_by_text("so far suggest").wait_for(timeout=60_000)
        watcher.wait_for_timeout(3000)  # and the picture after it
        hide_link(watcher)
        watcher.screenshot(path=OUT / "programmer-asking.png", full_page=True)
        answer_in(reporter)
        reporter.wait_for_selector("#thanks:not([hidden])", timeout=60_000)
        reporter.screenshot(path=OUT / "thanks.png", full_page=True)
        watcher.wait_for_selector(".patch", timeout=60_000)
        watcher.reload()
        watcher.wait_for_selector(".patch", timeout=60_000)
        hide_link(watcher)
        watcher.screenshot(path=OUT / "programmer.png", full_page=True)
        watcher.set_viewport_size(PHONE)
        watcher.emulate_media(color_scheme="dark")
        watcher.screenshot(path=OUT / "programmer-phone.png", full_page=True)
    several_fixes()
    for path in sorted(OUT.glob("*.png")):
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
