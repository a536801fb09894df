"""Debian's chromium, driven by playwright: for browser tests and for screenshots."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from web_server import classify

DESKTOP: ViewportSize = {"width": 1180, "height": 860}
PHONE: ViewportSize = {"width": 375, "height": 740}
PATIENCE = 60_000
GONE = (
    "before => document.getElementById('question').hidden"
    " || document.getElementById('count').textContent !== before"
)
"""Whether the question whose count was `before` is no longer on the page."""


def chromium_path() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser")


@contextmanager
def browser() -> Iterator[Browser]:
    path = chromium_path()
    assert path is not None, "chromium is not installed: tools/system-packages.sh installs it (as root)"
    with sync_playwright() as playwright:
        # Without a sandbox of its own: as root it has none, and it only ever sees our pages.
        started = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        )
        try:
            yield started
        finally:
            started.close()


def until(page: Page, expression: str, argument: object = None) -> None:
    """Waits for a page that allows no eval: what playwright offers for it would need one there."""
    for _ in range(PATIENCE // 50):
        if page.evaluate(expression, argument):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never came true: {expression}")


def counts(page: Page, number: int) -> None:
    """Waits for the question with this number."""
    until(page, "n => document.getElementById('count').textContent.startsWith(`Question ${n} `)", number)


def rows(page: Page, count: int) -> None:
    """Waits until the programmer's page lists so many answers."""
    until(page, "n => document.querySelectorAll('#answers tr').length === n", count)


def asked(page: Page) -> tuple[str, str | None]:
    """The input and what was printed, as they stand on the page."""
    text = " ".join(page.locator("#fields dd").all_inner_texts())
    printed = page.locator("#printed").inner_text() if page.locator("#printed").is_visible() else None
    return text, printed


def answer_in(page: Page, most: int = 20, keyboard: bool = False) -> int:
    """Answers like someone who knows triangles, until the thank-you; how many questions."""
    for number in range(most):
        page.wait_for_selector("#question:not([hidden]), #thanks:not([hidden])", timeout=PATIENCE)
        if page.locator("#thanks").is_visible():
            return number
        before = page.locator("#count").inner_text()
        text, printed = asked(page)
        right = classify(text)
        offered = page.locator("#choices button").filter(has_text=right)
        if printed == right:
            button = page.locator('[data-key="n"]')
        elif offered.count() == 1:
            button = offered
        else:
            page.fill("#expected", right)
            button = page.locator('[data-key="y"]')
        if keyboard:
            page.locator("#ask").focus()
            page.keyboard.press(button.get_attribute("data-key") or "")
        else:
            button.click()
        until(page, GONE, before)
    return most
