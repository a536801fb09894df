"""The pages by keyboard alone, as a screen reader hears them, in the dark and in the light, on a phone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from web_browser import DESKTOP, GONE, PATIENCE, PHONE, asked, browser, chromium_path, counts, until
from web_server import Site, classify, running

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        chromium_path() is None and os.environ.get("CI") != "true",
        reason="chromium is not installed (tools/system-packages.sh installs it as root)",
    ),
]

NAMED = {"button", "link", "textbox", "progressbar", "region", "form", "img", "image", "group", "table"}
"""Roles that say nothing without a name."""
TARGET = 24
"""Least height and width, in CSS pixels, of what is pressed (WCAG 2.2, 2.5.8)."""
READABLE = 4.5
"""Contrast of text (WCAG 2.2, 1.4.3)."""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as found:
        yield found


def opened(chromium: Browser, site: Site, path: str, size: ViewportSize = DESKTOP) -> Page:
    page = chromium.new_context(viewport=size).new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(site.origin + path)
    return page


def tree(page: Page) -> list[dict[str, Any]]:
    """The accessibility tree, as the browser gives it to a screen reader: role, name and level."""
    session = page.context.new_cdp_session(page)
    nodes = {node["nodeId"]: node for node in session.send("Accessibility.getFullAXTree")["nodes"]}
    session.detach()
    found: list[dict[str, Any]] = []
    waiting = [node for node in nodes.values() if "parentId" not in node]
    while waiting:
        # In the order in which they are heard.
        node = waiting.pop()
        waiting += [nodes[child] for child in reversed(node.get("childIds", ())) if child in nodes]
        if not node.get("ignored"):
            level = [each for each in node.get("properties", ()) if each["name"] == "level"]
            found.append(
                {
                    "role": node.get("role", {}).get("value", ""),
                    "name": node.get("name", {}).get("value", "").strip(),
                    "level": level[0]["value"]["value"] if level else None,
                }
            )
    return found


def sound(page: Page) -> list[dict[str, Any]]:
    """Everything that can be used has a name, and headings lead from one to the next; the tree."""
    found = tree(page)
    assert [node for node in found if node["role"] in NAMED and not node["name"]] == []
    assert [node["role"] for node in found].count("main") == 1
    levels = [node["level"] for node in found if node["role"] == "heading"]
    assert 1 in levels
    assert all(node["name"] for node in found if node["role"] == "heading")
    return found


def names(found: list[dict[str, Any]], role: str) -> list[str]:
    return [node["name"] for node in found if node["role"] == role]


FAINT = """least => {
  const over = (top, below) => top.slice(0, 3).map((c, i) => c * top[3] + below[i] * (1 - top[3]));
  const parts = text => { const found = text.match(/[\\d.]+/g).map(Number); return found.length > 3 ? found : [...found, 1]; };
  const light = colour => { const [r, g, b] = colour.map(c => c / 255).map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
  const behind = element => {
    const above = [];
    for (let each = element; each; each = each.parentElement) above.unshift(parts(getComputedStyle(each).backgroundColor));
    return above.reduce((below, top) => over(top, below), [255, 255, 255]);
  };
  const faint = [];
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
    if (!own || element.closest('svg, .sr, [hidden], :disabled, noscript') || !element.getClientRects().length) continue;
    let seen = 1;
    for (let each = element; each; each = each.parentElement) seen *= Number(getComputedStyle(each).opacity);
    const ground = behind(element), ink = parts(getComputedStyle(element).color);
    ink[3] *= seen;
    const [a, b] = [light(over(ink, ground)), light(ground)].sort((x, y) => y - x);
    const contrast = (a + .05) / (b + .05);
    if (contrast < least) faint.push(`${contrast.toFixed(2)} ${element.tagName} ${element.textContent.trim().slice(0, 40)}`);
  }
  return faint;
}"""  # noqa: E501
"""Texts that can hardly be read, with their contrast: letters against what lies behind them."""

SMALL = """least => [...document.querySelectorAll('button, a, textarea, input, summary')]
  .filter(each => each.getClientRects().length && !each.closest('.sr'))
  .map(each => [each.getBoundingClientRect(), each.textContent.trim() || each.id])
  .filter(([box]) => box.height < least || box.width < least)
  .map(([box, text]) => `${Math.round(box.width)}x${Math.round(box.height)} ${text}`)"""


def readable(page: Page) -> None:
    """In both schemes and at both sizes; nothing is wider than the screen or too small to be pressed."""
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            assert page.evaluate(FAINT, READABLE) == [], scheme
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert page.evaluate(SMALL, TARGET) == []


def press_to(page: Page, what: str) -> None:
    """Tab until the element is reached, whose outline can be seen then."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("what => document.activeElement.matches(what)", what):
            style = "s => getComputedStyle(document.activeElement)[s]"
            assert page.evaluate(style, "outlineStyle") != "none"
            assert page.evaluate(style, "outlineWidth") != "0px"
            return
    raise AssertionError(f"the keyboard does not reach {what}")


def test_both_pages_from_the_first_question_to_the_patch(chromium: Browser, tmp_path: Path) -> None:
    with running(tmp_path, learner=None, labels=4) as site:
        page = opened(chromium, site, site.reporter)
        counts(page, 1)
        found = sound(page)
        # In the order in which they are heard: the question, then the choices, then the way out of them.
        assert names(found, "progressbar") == ["How far you are"]
        heard = names(found, "button")
        assert heard[0] == "Copy this input as the program reads it"
        assert heard[1] == "1"
        assert heard[-2:] == ["Unsure", "No more questions, please"]
        assert names(found, "textbox") == ["Something else: what should it print?"]
        readable(page)
        programmer = opened(chromium, site, site.programmer)
        programmer.wait_for_selector("#now:not([hidden])")
        sound(programmer)
        readable(programmer)
        # By keyboard alone: the choices, and the field for something else.
        for number in range(1, 5):
            page.wait_for_selector("#question:not([hidden]), #thanks:not([hidden])")
            if page.locator("#thanks").is_visible():
                break
            before = page.locator("#count").inner_text()
            text, printed = asked(page)
            right = classify(text)
            if number == 1:
                page.keyboard.press("e")
                assert page.evaluate("document.activeElement.id") == "expected"
                page.keyboard.type(right)
                press_to(page, "#send")
            else:
                own = page.locator("#choices button", has_text="as it does now")
                offered = page.locator("#choices button").filter(has=page.get_by_text(right, exact=True))
                button = own if printed == right and own.count() else offered
                key = button.get_attribute("data-key") if button.count() else "n" if printed == right else "y"
                press_to(page, f'[data-key="{key}"]')
            page.keyboard.press("Enter")
            until(page, GONE, before)
        page.wait_for_selector("#thanks:not([hidden])")
        assert page.evaluate("document.activeElement.id") == "thanks-title"
        sound(page)
        readable(page)
        programmer.wait_for_selector(".patch")
        found = sound(programmer)
        assert {"Progress", "When the bug shows", "Answers", "Patches"} <= set(names(found, "heading"))
        readable(programmer)
        programmer.locator("h1").click()
        press_to(programmer, ".patch button")
        programmer.keyboard.press("Enter")
        programmer.get_by_text("Applied.").wait_for()


SHOP = """def price(qty, unit):
    total = qty * unit
    if qty > 10:
        total = total * 9 // 10
    return total
"""


def test_fixes_side_by_side_and_what_answers_ruled_out_on_the_page(chromium: Browser, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work/shop.py").write_text(SHOP)
    with running(
        tmp_path, program="shop.py:price", failing="10, 5", learner=None, labels=1, expected="45"
    ) as site:
        reporter = opened(chromium, site, site.reporter)
        counts(reporter, 1)
        reporter.keyboard.press("n")
        programmer = opened(chromium, site, site.programmer, PHONE)
        programmer.wait_for_selector("#beside:not([hidden])")
        result = site.host.held.saved.result
        assert result is not None
        columns = result["side_by_side"]["columns"]
        heads = programmer.locator("#beside-heads th").all_inner_texts()
        assert heads == ["now", *(f"patch {rank}" for rank in range(1, len(columns)))]
        cells = programmer.locator("#beside-rows tr").first.locator("td").all_inner_texts()
        assert cells == [each["gives"] for each in columns]
        assert programmer.locator("#beside-rows th").all_inner_texts() == ["gives", "total"]
        told = programmer.locator("#answers .more").inner_text().strip()
        assert told.startswith(f"ruled out {result['decided'][0]['ruled_out']} fixes, such as line ")
        sound(programmer)
        readable(programmer)
