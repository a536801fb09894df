"""Whole sessions in a real browser, at desktop and phone width, with an eye on its console."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from learn2fix.web import streams
from web_browser import DESKTOP, PATIENCE, PHONE, answer_in, browser, chromium_path, counts, rows
from web_server import Line, Site, answer_for, in_another_folder, running

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

    def __init__(
        self, chromium: Browser, site: Site, path: str, size: ViewportSize, clock: bool = False
    ) -> None:
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
        if clock:
            self.page.clock.install()
        self.page.goto(site.origin + path)

    def _requested(self, url: str) -> None:
        if not url.startswith(self.site.origin + "/"):
            self.complaints.append(f"asked another server: {url}")

    def clean(self) -> None:
        assert self.complaints == []
        assert self.page.evaluate("window.violations") == []

    def fits(self) -> None:
        """Nothing is wider than the screen, nor than that of a phone."""
        before = self.page.viewport_size
        assert before is not None
        for size in (PHONE, before):
            self.page.set_viewport_size(size)
            assert self.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_session_in_the_browser_ends_in_the_right_patch(chromium: Browser, tmp_path: Path) -> None:
    with running(tmp_path, learner=None, expected="1") as site:
        programmer = Watched(chromium, site, site.programmer, DESKTOP)
        reporter = Watched(chromium, site, site.reporter, DESKTOP)
        reporter.page.wait_for_selector("#question:not([hidden])")
        reporter.fits()
        assert reporter.page.locator("#fields .changed").count() >= 1
        reporter.page.click("#copy")
        reporter.page.wait_for_selector("#copy:text-is('Copied')")
        answer_in(reporter.page, most=1, keyboard=True)
        # Back: the question before is asked again, and the programmer sees its answer go.
        reporter.page.wait_for_selector("#back:visible")
        second = reporter.page.locator("#fields").inner_text()
        reporter.page.keyboard.press("p")
        counts(reporter.page, 1)
        rows(programmer.page, 1)
        # The same on a phone, which has no keyboard.
        reporter.page.set_viewport_size(PHONE)
        answer_in(reporter.page, most=1)
        reporter.page.wait_for_selector("#back:visible")
        assert reporter.page.locator("#fields").inner_text() == second
        reporter.page.click("#back")
        counts(reporter.page, 1)
        rows(programmer.page, 1)
        answer_in(reporter.page)
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
        patch.get_by_text("is applied already").wait_for()
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
        one.page.click('[data-key="u"]')
        one.page.get_by_text("not saved yet").wait_for()
        one.page.context.set_offline(False)
        counts(one.page, 3)
        assert len(site.host.board.exchanges) == 2
        counts(other.page, 3)
        other.clean()


def test_the_programmer_goes_on_with_another_session(chromium: Browser, tmp_path: Path) -> None:
    other = in_another_folder(tmp_path)
    with running(tmp_path, labels=2) as site:
        programmer = Watched(chromium, site, site.programmer, PHONE)
        programmer.page.get_by_role("button", name=f"Open session {other}").click()
        programmer.page.get_by_role("heading", name="shop.py:discount").wait_for()
        programmer.page.wait_for_selector("#now:not([hidden])")
        link = programmer.page.locator("#reporter-link").input_value()
        reporter = Watched(chromium, site, link.removeprefix(site.origin), DESKTOP)
        counts(reporter.page, 1)
        reporter.page.click('[data-key="n"]')
        counts(reporter.page, 2)
        rows(programmer.page, 2)
        programmer.fits()
        for each in (programmer, reporter):
            each.clean()


@pytest.fixture
def line() -> Iterator[Line]:
    made = Line()
    yield made
    made.close()


class Overnight(Watched):
    """A page at the far end of a line, whose clock can be moved."""

    def __init__(self, chromium: Browser, site: Site, line: Line, path: str) -> None:
        line.target = site.port
        far = Site(line.port, site.host, site.links, site.home)
        super().__init__(chromium, far, path, DESKTOP, clock=True)
        self.line = line

    def heartbeat(self) -> None:
        """Waits until one more has come through, and has been heard."""
        before = self.line.heartbeats
        for _ in range(PATIENCE // 50):
            self.page.wait_for_timeout(50)
            if self.line.heartbeats > before:
                self.page.wait_for_timeout(500)
                return
        raise AssertionError("no heartbeat")

    def clean(self) -> None:
        # A browser names every failed connection in its console.
        self.complaints = [text for text in self.complaints if "net::ERR_" not in text]
        super().clean()


def test_a_connection_that_falls_silent_is_made_again(
    chromium: Browser, tmp_path: Path, line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "HEARTBEAT", 1)
    with running(tmp_path, labels=4, name=line.name) as site:
        watched = Overnight(chromium, site, line, site.reporter)
        page = watched.page
        counts(page, 1)
        # Heartbeats are enough to keep it: two long whiles with one between them.
        made = line.connections
        for _ in range(2):
            page.clock.fast_forward(40_000)
            watched.heartbeat()
        assert line.connections == made
        # Nothing comes any more, and nothing says so: a router has forgotten us.
        line.silence()
        site.post(f"{site.reporter}answer", answer_for(site.state("asking")["question"]))
        site.state("asking")
        assert page.locator("#count").inner_text().startswith("Question 1 ")
        page.clock.fast_forward(46_000)
        page.clock.fast_forward(2_000)
        counts(page, 2)
        assert line.connections > made
        page.click('[data-key="u"]')
        counts(page, 3)
        watched.clean()


def test_a_laptop_that_slept_goes_on_where_it_was(chromium: Browser, tmp_path: Path, line: Line) -> None:
    with running(tmp_path, labels=4, name=line.name) as site:
        watched = Overnight(chromium, site, line, site.reporter)
        programmer = Overnight(chromium, site, line, site.programmer)
        page = watched.page
        counts(page, 1)
        line.cut()
        page.get_by_text("No connection").wait_for()
        programmer.page.get_by_text("no connection").wait_for()
        # What is pressed meanwhile is not lost.
        page.click('[data-key="u"]')
        page.get_by_text("not saved yet").wait_for()
        for each in (watched, programmer):
            each.page.clock.fast_forward("09:00:00")
        line.mend()
        for each in (watched, programmer):
            each.page.clock.fast_forward(60_000)
        counts(page, 2)
        rows(programmer.page, 2)
        assert len(site.host.board.exchanges) == 1
        watched.clean()
        programmer.clean()


def test_a_server_that_is_started_again_under_an_open_page(
    chromium: Browser, tmp_path: Path, line: Line
) -> None:
    with running(tmp_path, labels=4, name=line.name) as site:
        watched = Overnight(chromium, site, line, site.reporter)
        counts(watched.page, 1)
        answer_in(watched.page, most=1)
        counts(watched.page, 2)
        before = watched.page.locator("#fields").inner_text()
        id = site.host.held.id
    line.cut()
    watched.page.get_by_text("No connection").wait_for()
    with running(tmp_path, session=id, name=line.name) as again:
        line.target = again.port
        line.mend()
        watched.page.clock.fast_forward(60_000)
        watched.page.get_by_text("answers are saved at once").wait_for()
        again.state("asking")
        watched.page.wait_for_selector("#question:not([hidden])")
        counts(watched.page, 2)
        assert watched.page.locator("#fields").inner_text() == before
        answer_in(watched.page)
        assert len(again.host.board.exchanges) == 4
        watched.clean()


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
        reporter.page.click('[data-key="y"]')
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
        for name in ("Bug", "Ok", "Unsure", "Invalid: the input makes no sense"):
            assert page.get_by_role("button", name=name).is_visible()
        assert page.get_by_label("what should it print").is_visible()
        assert page.evaluate("document.activeElement.id") == "ask"
        assert page.locator("[aria-live=polite]").inner_text() == page.locator("#count").inner_text()
        # Typing what is right must not be taken for answers.
        page.fill("#expected", "")
        page.type("#expected", "123 yes no")
        assert site.host.board.exchanges == ()
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            assert contrast(page, '[data-key="n"]') >= 4.5
            assert contrast(page, '[data-key="y"]') >= 4.5
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
