"""The JSON state of the two pages. The reporter's has no source, patches or other sessions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

from learn2fix.domain import Domain
from learn2fix.domain.describing import named_values
from learn2fix.errors import Learn2FixError
from learn2fix.model import Answer, Ending, Input, Outcome, Question, Reply, signal_name
from learn2fix.people import Context, Feedback
from learn2fix.people.difference import compare, from_nearest
from learn2fix.people.escape import marked_spaces, visible
from learn2fix.people.phrasing import answers, choices, head, sentence
from learn2fix.store import Saved
from learn2fix.web.board import Board, Phase, agree, question_id
from learn2fix.web.host import Host
from learn2fix.web.links import links_for
from learn2fix.web.plot import Plot
from learn2fix.web.registry import Registry
from learn2fix.wording import plural

Json = dict[str, Any]

NOTHING: Mapping[str, str] = MappingProxyType({})
MAX_FIELDS = 12
"""Maximum number of values shown as named fields; longer inputs are shown as text."""
MAX_TEXT = 4000
"""Maximum number of characters of an input or output that a page shows."""


# For the reporter.


def reporter_view(host: Host) -> Json:
    board = host.board
    phase, question = board.present
    view: Json = {"phase": phase.value, "answers": len(board.exchanges)}
    if question is not None:
        view["question"] = question_view(host, question)
    if phase is Phase.FINISHED:
        view["learned"] = learned(host.held.saved)
    return view


def question_view(host: Host, question: Question) -> Json:
    outcome = question.observation.outcome
    text = question.observation.input.text
    known = [label.observation.input.text for label in host.held.saved.record.failing]
    context = Context(feedback=Feedback(host.session.options.feedback), verb=host.session.verb)
    quoted = context.verb == "return"

    def spaced(text: str) -> str:
        return shown(marked_spaces(text, quoted) if text else "")

    nearest_text = [] if question.reported else [marked_spaces(each.rstrip("\n"), quoted) for each in known]
    pieces, nearest = from_nearest(marked_spaces(text.rstrip("\n"), quoted), nearest_text)
    before = known[nearest_text.index(nearest)] if nearest is not None else None
    return {
        "id": question_id(question),
        "number": question.number,
        "head": head(question),
        "remaining": question.remaining,
        "fields": fields(host.session.domain, text, before),
        "pieces": [[shown(piece), differs] for piece, differs in pieces[:2000]],
        "failing": shown(nearest) if nearest is not None else None,
        "copy": text if len(text) <= MAX_TEXT else None,
        "printed": spaced(str(outcome.response)) if outcome.completed else None,
        "ended": ended(outcome),
        "ask": sentence(question, context),
        "choices": [
            {"key": each.key, "text": spaced(str(each.response)) or "(nothing)", "own": each.own}
            for each in choices(question)
        ],
        "answers": [{"key": key, "text": text} for key, text in answers(question, context)],
        "reported": question.reported,
        "verb": context.verb,
        "wants_output": context.feedback is Feedback.OUTPUT,
        "compared": host.session.options.compared if question.number == 1 else "",
    }


def fields(domain: Domain, text: str, nearest: str | None) -> list[Json] | None:
    """The input as named values beside those of the known failing input; None for long inputs."""
    values = named_values(domain, Input(text))
    before = named_values(domain, Input(nearest)) if nearest is not None else values
    if not 0 < len(values) <= MAX_FIELDS or len(before) != len(values):
        return None
    return [
        {
            "name": shown(spoken(name)),
            "value": shown(value),
            "pieces": [
                [shown(piece), differs]
                for piece, differs in compare(marked_spaces(value, True), marked_spaces(old, True))[:2000]
            ],
            "before": shown(marked_spaces(old, True)),
            "changed": value != old,
        }
        for (name, value), (_, old) in zip(values, before, strict=True)
    ]


def spoken(name: str) -> str:
    """`i3` is our name for the third value where values have no names."""
    numbered = re.fullmatch(r"i(\d+)", name)
    return f"value {numbered[1]}" if numbered else name.replace("_", " ")


def ended(outcome: Outcome) -> str:
    """How it ended, for someone who has never heard of a signal; "" when it simply printed something."""
    match outcome.ending:
        case Ending.EXITED:
            return "" if outcome.response.text else "It printed nothing."
        case Ending.SIGNALLED:
            return f"It crashed ({signal_name(outcome.status)})."
        case Ending.RAISED:
            return f"It stopped with an error: {shown(outcome.detail)}"
        case Ending.TIMEOUT:
            return "It gave no answer: it was stopped after a while."
        case Ending.MEMORY:
            return "It ran out of memory."
        case Ending.FLOOD:
            return "It printed without end and was stopped."
        case _:
            return "It could not be started."


def learned(saved: Saved) -> Json:
    """The result in a sentence or two."""
    result = saved.result or {}
    said = str((result.get("oracle") or {}).get("sentence") or "")
    sentences = [spoken_condition(said).rstrip(".") + "."] if said else []
    sentences.append(
        {
            "repaired": "A repair was found that agrees with everything you said. The programmer has it now.",
            "undecided": "Possible repairs were found, but none of them is certain enough yet.",
            "learned": "The programmer now knows when the bug shows.",
        }.get(saved.status, "No repair was found yet, but the programmer now has your answers as tests.")
    )
    return {"text": shown(" ".join(sentences)), "repaired": saved.status == "repaired"}


def spoken_condition(condition: str) -> str:
    condition = re.sub(r"(?<!\w)i(\d+)(?!\w)", r"value \1", condition.replace("when: ", "when "))
    for sign, words in (("==", "is"), ("!=", "is not"), (">=", "is at least"), ("<=", "is at most"),
                        (">", "is more than"), ("<", "is less than")):  # fmt: skip
        condition = re.sub(rf"\s*(?<![<>=!]){re.escape(sign)}(?!=)\s*", f" {words} ", condition)
    return condition


def shown(text: str) -> str:
    """Escaped and cut to a reasonable length."""
    cut = text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + " …"
    return visible(cut)


# For the programmer.


def condition_of(oracle: Json) -> str:
    """The condition, or a sentence where there is no exact one."""
    return str(oracle.get("sentence") or oracle.get("text") or "").removeprefix("The bug shows when: ")


def programmer_view(host: Host) -> Json:
    board, saved, reading = host.board, host.held.saved, host.telemetry.reading
    result = saved.result or {}
    oracle = result.get("oracle") or {}
    phase, question = board.present
    return {
        "phase": phase.value,
        "error": board.error,
        "session": saved.id,
        "program": shown(saved.record.title),
        "isolation": host.session.isolation,
        "answers": len(board.exchanges),
        "labels": host.session.options.questions,
        "question": programmer_question(host, question) if question is not None else None,
        "progress": {
            "doing": shown(reading.doing),
            "tried": reading.tried,
            "surviving": reading.surviving,
            "per_second": round(reading.per_second),
            "notices": [shown(text) for text in reading.notices],
        },
        "condition": shown(condition_of(oracle) or reading.condition),
        "suggested": shown(host.suggested) if saved.result is None else "",
        "risk": oracle.get("risk"),
        "status": saved.status,
        "reason": shown(str(result.get("reason") or "")),
        "doubts": [shown(str(doubt)) for doubt in result.get("doubts") or []],
        "effort": result.get("effort"),
        "patches": patches(saved),
        "beside": beside(result),
        "known": [labelled(label.observation.input.text, label.observation.outcome, label.answer)
                  for label in (*saved.record.failing, *saved.record.tests)],
        "history": history(board, names_of(host), ruled_out(result)),
        "plot": plot_view(host.plot),
    }  # fmt: skip


def programmer_question(host: Host, question: Question) -> Json:
    return question_view(host, question) | {
        "why": shown(question.why),
        "input": shown(question.observation.input.text),
    }


def patches(saved: Saved) -> list[Json]:
    return [
        {
            "id": patch.id,
            "description": shown(patch.description),
            "diff": visible(patch.diff).rstrip("\n").split("\n"),
            "confidence": round(patch.confidence, 4),
            "evidence": [shown(fact) for fact in patch.evidence],
        }
        for patch in saved.patches
    ]


def beside(result: Json) -> Json | None:
    """The versions of the program side by side on one input, as a table: what each gives, then variables."""
    found = result.get("side_by_side")
    if not found:
        return None
    ranks = {patch["id"]: patch["rank"] for patch in result["patches"]}
    columns = found["columns"]
    heads = ["now" if each["patch"] is None else f"patch {ranks[each['patch']]}" for each in columns]
    rows = [["gives", *(each["gives"] for each in columns)]]
    rows += [[name, *(each["variables"][name] for each in columns)] for name in columns[0]["variables"]]
    return {
        "input": shown(found["input"].strip()),
        "heads": heads,
        "rows": [[shown(cell) or "–" for cell in row] for row in rows],
    }


def ruled_out(result: Json) -> dict[str, str]:
    """Input → what the answer about it ruled out, in words."""
    return {
        each["input"]: f"ruled out {plural(each['ruled_out'], 'fix')}, "
        f"{'such as ' if each['ruled_out'] > 1 else ''}{shown(each['such_as'])}"
        for each in result.get("decided") or ()
    }


def labelled(text: str, outcome: Outcome, reply: Reply) -> Json:
    given = marked_spaces(text.removesuffix("\n")) if text.strip() else "(nothing)"
    found: Json = {"input": shown(given), "output": shown(str(outcome.response))}
    if isinstance(reply, Answer):
        found |= {"verdict": reply.verdict.value, "said": said(reply)}
    else:
        found |= {"verdict": reply.value, "said": "ended the questions"}
    return found


def said(reply: Reply) -> str:
    if not isinstance(reply, Answer):
        return "ended the questions"
    words = reply.verdict.value
    if reply.expected is not None:
        words += f", should be {reply.expected or '(nothing)'}"
    if reply.rejected:
        words += f", but not {' or '.join(reply.rejected)}"
    return shown(words)


def names_of(host: Host) -> frozenset[str]:
    """Who has a link of their own; names of links that are gone become numbers."""
    return frozenset(link.name for link in links_for(host.store.home, host.held.id).reporters)


def history(
    board: Board, names: frozenset[str] = frozenset(), ruled_out: Mapping[str, str] = NOTHING
) -> list[Json]:
    """Every answer that counts, with the other people's answers, by the names of their links or by number."""
    opinions = board.opinions
    people = list(dict.fromkeys(opinion.who for opinion in opinions))
    found = []
    for question, reply in board.exchanges:
        id = question_id(question)
        others = [opinion for opinion in opinions if question_id(opinion.question) == id]
        row = labelled(question.observation.input.text, question.observation.outcome, reply)
        row |= {
            "id": id,
            "number": question.number,
            "ruled_out": ruled_out.get(question.observation.input.text, ""),
            "people": [
                {
                    "who": shown(opinion.who)
                    if opinion.who in names
                    else f"person {people.index(opinion.who) + 1}",
                    "said": said(opinion.reply),
                    "agrees": agree(opinion.reply, reply),
                    "place": place,
                }
                for place, opinion in enumerate(others)
            ],
        }
        row["disagreement"] = not all(person["agrees"] for person in row["people"])
        found.append(row)
    return found


def plot_view(plot: Plot | None) -> Json | None:
    if plot is None:
        return None
    view = asdict(plot)
    view["cells"] = [[round(chance, 3) for chance in row] for row in plot.cells]
    for dot in view["dots"]:
        dot["text"] = shown(dot["text"])
    return {**view, "x": shown(plot.x), "y": shown(plot.y), "fixed": shown(plot.fixed)}


def session_rows(registry: Registry, current: str) -> list[Json]:
    """Every stored session, newest first."""
    rows: list[Json] = []
    opened = registry.open_ids
    for id in reversed(registry.store.ids()):
        try:
            saved = registry.store.load(id)
        except Learn2FixError:
            rows.append({"id": id, "status": "unreadable", "current": id == current})
            continue
        rows.append(
            {
                "id": id,
                "status": saved.status,
                "open": id in opened,
                "finished": saved.result is not None,
                "answers": len(saved.exchanges),
                "created": saved.created[:16].replace("T", " "),
                "program": shown(saved.record.title),
                "current": id == current,
            }
        )
    return rows


def stored_view(saved: Saved) -> Json:
    """A stored session that is not being served, read-only."""
    result = saved.result or {}
    oracle = result.get("oracle") or {}
    labels: Sequence[Json] = [
        labelled(label.observation.input.text, label.observation.outcome, label.answer)
        for label in saved.labels
    ]
    return {
        "id": saved.id,
        "program": shown(saved.record.title),
        "created": saved.created,
        "status": saved.status,
        "labels": labels,
        "condition": shown(condition_of(oracle)),
        "patches": patches(saved),
    }
