"""People at pages of one session at the same time, each with a page of their own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

from playwright.async_api import Browser, Page, async_playwright

from web_browser import DESKTOP, PATIENCE, PHONE, chromium_path
from web_server import Site, classify

T = TypeVar("T")


@dataclass
class Visitor:
    """Somebody who knows triangles, more or less."""

    name: str
    path: str
    errs: Callable[[int], bool] = lambda number: False
    """Whether they are wrong at their answer with this number."""
    size: Any = field(default_factory=lambda: DESKTOP)
    answers: int = 0
    complaints: list[str] = field(default_factory=list)

    async def visit(self, browser: Browser, site: Site) -> None:
        """Answers until the thank-you."""
        page = await (await browser.new_context(viewport=self.size)).new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        await page.goto(site.origin + self.path)
        while await self._answered(page):
            self.answers += 1

    async def _answered(self, page: Page) -> bool:
        await page.wait_for_selector("#question:not([hidden]), #thanks:not([hidden])")
        # What stands there, in one look: somebody else may answer meanwhile.
        seen = await page.evaluate(
            "() => document.getElementById('question').hidden ? null : ({"
            " count: document.getElementById('count').textContent,"
            " input: [...document.querySelectorAll('#fields dd')].map(each => each.textContent).join(' '),"
            " printed: document.getElementById('printed').textContent })"
        )
        if seen is None:
            return not await page.locator("#thanks").is_visible()
        right = classify(seen["input"]) == seen["printed"]
        key = "n" if right is not self.errs(self.answers) else "y"
        # The click, unless the question is gone by now.
        await page.evaluate(
            "([count, key]) => { if (document.getElementById('count').textContent === count)"
            ' { const button = document.querySelector(`[data-key="${key}"]`);'
            " if (button && !button.disabled) button.click(); } }",
            [seen["count"], key],
        )
        while await page.evaluate(
            "count => !document.getElementById('question').hidden"
            " && document.getElementById('count').textContent === count",
            seen["count"],
        ):
            await page.wait_for_timeout(20)
        return True


def together(site: Site, visitors: list[Visitor]) -> None:
    """All of them at once, until every one of them is thanked."""

    async def run() -> None:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=chromium_path(),
                args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
            )
            await asyncio.gather(*(visitor.visit(browser, site) for visitor in visitors))
            await browser.close()

    _in_a_thread(run)


def _in_a_thread(make: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Where no other loop runs: the browser of other tests may have one in this one."""
    results: list[T] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            results.append(asyncio.run(make()))
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return results[0]


__all__ = ["PHONE", "Visitor", "together"]
