"""Whole sessions in a real browser, at desktop and phone width, with an eye on its console."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from web_browser import DESKTOP, PATIENCE, PHONE, answer_in, browser, chromium_path, counts, rows
from web_server import Site, running

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        chromium_path() is None and os.environ.get("CI") != "true",
        reason="chromium is not installed (tools/system-packages.sh installs it as root)",
    ),
]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as found:
        yield found


class Watched:
    """A page, and everything its console, its errors and its requests said that should not be."""

    def __init__(self, chromium: Browser, site: Site, path: str, size: ViewportSize) -> None:
        self.site = site
        self.complaints: list[str] = []
        self.page: Page = chromium.new_context(viewport=size).new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.add_init_script(
            "window.violations = []; document.addEventListener('securitypolicyviolation', "
            "event => window.violations.push(event.violatedDirective + ' ' + event.blockedURI));"
        )
        self.page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: self.complaints.append(f"dialog: {dialog.message}"))
        self.page.on("request", lambda request: self._requested(request.url))
        self.page.goto(site.origin + path)

    def _requested(self, url: str) -> None:
        if not url.startswith(self.site.origin + "/"):
            self.complaints.append(f"asked another server: {url}")

    def clean(self) -> None:
        assert self.complaints == []
        assert self.page.evaluate("window.violations") == []

    def fits(self) -> None:
        """Nothing is wider than the screen."""
        assert self.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.parametrize(("size", "keyboard"), [(DESKTOP, True), (PHONE, False)], ids=["desktop", "phone"])
def test_a_session_in_the_browser_ends_in_the_right_patch(
    chromium: Browser, tmp_path: Path, size: ViewportSize, keyboard: bool
) -> None:
    with running(tmp_path, learner=None) as site:
        programmer = Watched(chromium, site, site.programmer, size)
        reporter = Watched(chromium, site, site.reporter, size)
        reporter.page.wait_for_selector("#question:not([hidden])")
        reporter.fits()
        assert reporter.page.locator("#fields .changed").count() >= 1
        answer_in(reporter.page, most=1, keyboard=keyboard)
        # Back: the question before is asked again, and the programmer sees its answer go.
        reporter.page.wait_for_selector("#back:visible")
        second = reporter.page.locator("#fields").inner_text()
        if keyboard:
            reporter.page.keyboard.press("b")
        else:
            reporter.page.click("#back")
        counts(reporter.page, 1)
        rows(programmer.page, 1)
        answer_in(reporter.page, most=1, keyboard=keyboard)
        reporter.page.wait_for_selector("#back:visible")
        assert reporter.page.locator("#fields").inner_text() == second
        answer_in(reporter.page, keyboard=keyboard)
        assert "repair was found" in reporter.page.locator("#learned").inner_text()
        reporter.fits()
        reporter.clean()
        patch = programmer.page.locator(".patch").first
        patch.wait_for()
        assert "a == b && b == c" in patch.inner_text()
        assert programmer.page.locator("#plot svg").is_visible()
        programmer.fits()
        patch.get_by_role("button", name="Apply").click()
        patch.get_by_text("Applied.").wait_for()
        assert "a == b && b == c" in (tmp_path / "work/triangle.c").read_text()
        patch.get_by_role("button", name="Apply").click()
        patch.get_by_text("Not applied").wait_for()
        # A refused request is news in the console of every browser; nothing else may be.
        programmer.complaints = [text for text in programmer.complaints if "409" not in text]
        programmer.clean()


def test_two_people_and_a_server_that_went_away(chromium: Browser, tmp_path: Path) -> None:
    with running(tmp_path, labels=4) as site:
        one = Watched(chromium, site, site.reporter, DESKTOP)
        other = Watched(chromium, site, site.reporter, PHONE)
        for each in (one, other):
            each.page.wait_for_selector("#question:not([hidden])")
        answer_in(one.page, most=1)
        counts(other.page, 2)
        assert "Somebody else" in other.page.locator("#trouble").inner_text()
        # Without a connection an answer waits and is sent again.
        counts(one.page, 2)
        one.page.context.set_offline(True)
        one.page.click("#third")
        one.page.get_by_text("not saved yet").wait_for()
        one.page.context.set_offline(False)
        counts(one.page, 3)
        assert len(site.host.desk.exchanges) == 2
        counts(other.page, 3)
        other.clean()


EVIL = "<img src=x onerror=alert(1)></pre><script>alert(2)</script>\"'>${alert(3)}"


def test_markup_in_input_output_and_name_is_inert(chromium: Browser, tmp_path: Path) -> None:
    """Fault 17."""
    name = "<img src=x onerror=alert(0)>\"'.py"
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / name).write_text("print('" + EVIL.replace("'", "\\'") + "', input())\n")
    with running(tmp_path, program=name, failing="<b>x</b> \"onload=alert(4)'", labels=2) as site:
        reporter = Watched(chromium, site, site.reporter, DESKTOP)
        reporter.page.wait_for_selector("#question:not([hidden])")
        assert "<script>alert(2)</script>" in reporter.page.locator("#printed").inner_text()
        programmer = Watched(chromium, site, site.programmer, PHONE)
        programmer.page.wait_for_selector("#answers td")
        assert name in programmer.page.locator("h1").inner_text()
        reporter.page.fill("#expected", EVIL)
        reporter.page.click("#first")
        rows(programmer.page, 2)
        assert EVIL in programmer.page.locator("#answers").inner_text()
        for watched in (reporter, programmer):
            assert watched.page.locator("img, main script, b[onload]").count() == 0
            watched.clean()


def test_the_page_can_be_used_without_seeing_it(chromium: Browser, tmp_path: Path) -> None:
    with running(tmp_path, labels=1) as site:
        reporter = Watched(chromium, site, site.reporter, DESKTOP)
        page = reporter.page
        page.wait_for_selector("#question:not([hidden])")
        for name in ("This is wrong", "This is right", "I can’t tell", "This input makes no sense"):
            assert page.get_by_role("button", name=name).is_visible()
        assert page.get_by_label("what should it print").is_visible()
        assert page.evaluate("document.activeElement.id") == "ask"
        assert page.locator("[aria-live=polite]").inner_text() == page.locator("#count").inner_text()
        # Typing what is right must not be taken for answers.
        page.fill("#expected", "")
        page.type("#expected", "123 yes no")
        assert site.host.desk.exchanges == ()
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            assert contrast(page, "#second") >= 4.5
            assert contrast(page, "#first") >= 4.5
        page.keyboard.press("Escape")
        page.keyboard.press("u")
        page.wait_for_selector("#thanks:not([hidden])")
        assert page.evaluate("document.activeElement.id") == "thanks-title"
        reporter.clean()


def contrast(page: Page, selector: str) -> float:
    """Of the letters against the button, as WCAG counts it."""
    colours = page.evaluate(
        "s => { const style = getComputedStyle(document.querySelector(s));"
        " return [style.color, style.backgroundColor].map(c => c.match(/\\d+/g).slice(0, 3).map(Number)); }",
        selector,
    )

    def luminance(colour: list[int]) -> float:
        parts = [v / 255 / 12.92 if v <= 10 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in colour]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    light, dark = sorted(map(luminance, colours), reverse=True)
    return (light + 0.05) / (dark + 0.05)
