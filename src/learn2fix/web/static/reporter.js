// One question a screen. Everything that comes from the program goes in as text, never as markup.
"use strict";

(function () {
  const $ = (id) => document.getElementById(id);
  const make = live.make;
  let state = null; // the newest news
  let shown = ""; // id of the question on the screen
  let sending = false;

  const COPY = "Copy this input as the program reads it";
  const screens = ["wait", "question", "thanks", "failed"];

  function show(name) {
    const before = screens.find((id) => !$(id).hidden);
    for (const id of screens) $(id).hidden = id !== name;
    return before !== name;
  }

  function say(text) {
    $("said").textContent = text;
  }

  function trouble(text) {
    $("trouble").textContent = text || "";
    $("trouble").hidden = !text;
  }

  function waiting(title, text) {
    $("wait-title").textContent = title;
    $("wait-text").textContent = text;
    if (show("wait")) say(title);
  }

  function render() {
    if (!state || sending) return;
    const answers = state.answers;
    switch (state.phase) {
      case "asking":
        ask(state.question);
        break;
      case "thinking":
        shown = "";
        if (answers) waiting("Saved. Looking for the next question…", "This takes a moment.");
        else waiting("Looking for a question…", $("wait-text").textContent);
        break;
      case "back":
        shown = "";
        waiting("Going back…", "Your answers are being gone through again. Nothing is lost.");
        break;
      case "finished":
        shown = "";
        $("count").textContent = answers === 1 ? "1 question answered" : answers + " questions answered";
        $("done").value = 1;
        $("learned").textContent = state.learned.text;
        $("back-end").hidden = answers === 0;
        if (show("thanks")) {
          $("thanks-title").focus();
          say("Thank you. " + state.learned.text);
        }
        break;
      default:
        shown = "";
        show("failed");
    }
  }

  function ask(question) {
    if (shown === question.id) {
      show("question");
      return;
    }
    shown = question.id;
    const left = question.remaining;
    $("compared").textContent = "What counts: " + question.compared + ".";
    $("compared").hidden = !question.compared;
    $("count").textContent = question.head;
    $("done").value = (question.number - 1) / (question.number + left);
    input(question);
    printed(question);
    $("ask").textContent = question.ask;
    $("choices").replaceChildren(...question.choices.map(choice));
    $("answers").replaceChildren(...question.answers.filter((each) => each.key !== "e").map(answer));
    $("expect").hidden = !question.wants_output;
    const open = question.choices.length > 0 || question.reported;
    $("expected-label").textContent = (open ? "Something else: what should it " : "If it is a bug and you know it: what should it ") + question.verb + "?";
    $("expected").value = "";
    $("back").hidden = state.answers === 0;
    enable(true);
    show("question");
    $("ask").focus({ preventScroll: true });
    window.scrollTo(0, 0);
    say($("count").textContent);
  }

  function choice(each) {
    const own = each.own ? make("small", {}, "ok: as it does now") : "";
    return key(each.key, "choice", make("span", { class: "code" }, each.text), own);
  }

  function answer(each) {
    const kind = { y: "wrong", x: "wrong", n: "right" }[each.key] || "unsure";
    return key(each.key, kind, make("span", {}, each.text.charAt(0).toUpperCase() + each.text.slice(1)), "");
  }

  function key(letter, kind, text, note) {
    const made = make("button", { type: "button", class: kind, "data-key": letter }, make("kbd", { "aria-hidden": "true" }, letter), text, note);
    made.addEventListener("click", () => send(letter));
    return made;
  }

  function input(question) {
    const list = $("fields");
    list.replaceChildren();
    list.hidden = !question.fields;
    $("pieces").hidden = Boolean(question.fields);
    $("pieces").replaceChildren();
    let changed = false;
    for (const field of question.fields || []) {
      changed = changed || field.changed;
      const pieces = field.pieces.map(([piece, differs]) => (differs ? make("mark", {}, piece) : piece));
      const box = make("div", { class: field.changed ? "changed" : null }, make("dt", {}, field.name), make("dd", {}, ...pieces));
      if (field.changed) box.append(make("p", { class: "was" }, "was " + field.before));
      list.append(box);
    }
    if (!question.fields) {
      for (const [piece, differs] of question.pieces) {
        changed = changed || differs;
        $("pieces").append(differs ? make("mark", {}, piece) : piece);
      }
    }
    $("copy").hidden = question.copy === null;
    $("copy").textContent = COPY;
    const failing = question.failing !== null && !question.failing.includes("\n") ? " (" + question.failing + ")." : ".";
    $("legend").textContent = changed && question.failing !== null ? "Marked: what differs from the input you reported" + failing : "";
    $("legend").hidden = !$("legend").textContent;
  }

  // The clipboard is out of reach on pages without https, except through a selection.
  async function copy() {
    try {
      await navigator.clipboard.writeText(state.question.copy);
    } catch (refused) {
      const area = make("textarea", { class: "sr" });
      area.value = state.question.copy;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    $("copy").textContent = "Copied";
    say("Copied");
  }

  function printed(question) {
    $("printed").hidden = question.printed === null || question.printed === "";
    $("printed").textContent = question.printed || "";
    $("printed-title").hidden = $("printed").hidden;
    $("printed-title").textContent = "it " + question.verb + "s";
    $("ended").hidden = !question.ended;
    $("ended").textContent = question.ended;
  }

  function enable(on) {
    for (const element of $("question").querySelectorAll("button, textarea")) element.disabled = !on;
  }

  // An answer is sent until it is known to be saved: it carries the id of its question, so twice does no harm.
  async function send(letter) {
    if (sending || !shown || state.phase !== "asking") return;
    sending = true;
    enable(false);
    trouble("");
    say("Saving your answer");
    const body = { question: shown, key: letter };
    const expected = $("expected").value;
    if (expected.trim() && (letter === "y" || letter === "e")) body.expected = expected;
    for (;;) {
      let reply = null;
      try {
        reply = await live.post("answer", body);
      } catch (problem) {
        trouble("No connection. Your answer is not saved yet; trying again…");
        await live.pause(2000);
        continue;
      }
      trouble("");
      const status = reply.said.status;
      if (status === "saved") {
        say("Saved");
        if (state.phase === "asking" && state.question.id === body.question) state = { phase: "thinking", answers: state.answers + 1 };
      } else if (status === "already") {
        trouble(reply.said.agrees
          ? "Somebody else had answered this question just before you, and said the same."
          : "Somebody else had answered this question just before you, and said something else. Both answers are kept; the programmer will see them.");
      } else if (status === "gone") {
        trouble("This question is not asked any more.");
      } else {
        trouble(reply.said.message || "Your answer could not be saved.");
        enable(true);
      }
      break;
    }
    sending = false;
    render();
  }

  async function back() {
    if (sending || !state || !state.answers) return;
    sending = true;
    trouble("");
    try {
      const reply = await live.post("undo", { answers: state.answers });
      if (reply.code >= 500) trouble(reply.said.message);
      else if (state.phase === "asking" || state.phase === "finished") waiting("Going back…", "Your answers are being gone through again. Nothing is lost.");
    } catch (problem) {
      trouble("No connection. Please try again in a moment.");
    }
    sending = false;
    if (state.phase !== "asking" && state.phase !== "finished") render();
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.tagName === "TEXTAREA") {
      if (event.key === "Escape") $("ask").focus();
      return;
    }
    if ($("question").hidden) return;
    const letter = event.key.toLowerCase();
    if (state.question && [...state.question.choices, ...state.question.answers].some((each) => each.key === letter && letter !== "e")) send(letter);
    else if (letter === "e" && !$("expect").hidden) $("expected").focus();
    else if (letter === "p") back();
    else return;
    event.preventDefault();
  });

  $("send").addEventListener("click", () => ($("expected").value.trim() ? send("e") : $("expected").focus()));
  $("finish").addEventListener("click", () => send("f"));
  $("back").addEventListener("click", back);
  $("copy").addEventListener("click", copy);
  $("back-end").addEventListener("click", back);
  $("question").addEventListener("submit", (event) => event.preventDefault());
  $("expected").addEventListener("input", () => {
    $("expected").rows = Math.min(8, $("expected").value.split("\n").length);
  });

  live.connect(
    (news) => {
      const before = state;
      state = news;
      if (before && before.phase === "asking" && news.answers > before.answers && !sending && shown) {
        trouble("Somebody else answered that question.");
        setTimeout(() => trouble(""), 6000);
      }
      render();
    },
    (link) => {
      $("link-state").textContent = link === "connected" ? "connected · answers are saved at once" : "no connection, trying again…";
    },
  );
})();
