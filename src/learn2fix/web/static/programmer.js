// Watches a session: progress, condition, picture, patches. Everything goes in as text.
"use strict";

(function () {
  const $ = (id) => document.getElementById(id);
  const make = live.make;
  let state = null;
  let drawn = {};

  const phases = {
    thinking: "looking for the next question",
    asking: "waiting for an answer",
    back: "replaying answers…",
    finished: "finished",
    failed: "stopped by a fault",
  };

  function trouble(text) {
    $("trouble").textContent = text || "";
    $("trouble").hidden = !text;
  }

  // Redrawn only when it is another: what somebody reads or selects must not jump.
  function changed(name, value) {
    const text = JSON.stringify(value);
    if (drawn[name] === text) return false;
    drawn[name] = text;
    return true;
  }

  // Never 0 %: nobody can know that.
  const percent = (share) => (share < 0.01 ? "less than 1 %" : Math.round(share * 100) + " %");

  function render() {
    $("phase").textContent = phases[state.phase] || state.phase;
    $("phase").className = "badge " + state.phase;
    $("isolation").textContent = "isolation: " + state.isolation;
    $("n-answers").textContent = state.answers + " of at most " + state.labels;
    $("n-surviving").textContent = state.progress.surviving.toLocaleString("en");
    $("n-tried").textContent = state.progress.tried.toLocaleString("en");
    $("n-rate").textContent = state.progress.per_second.toLocaleString("en");
    $("doing").textContent = state.phase === "finished" ? (state.reason ? "No further question: " + state.reason : "") : state.phase === "asking" ? "The search goes on while the person thinks." : state.progress.doing;
    $("row-status").textContent = state.status;
    $("row-answers").textContent = state.answers;
    $("undo").disabled = state.answers === 0 || state.phase === "back";
    $("retry").hidden = state.phase !== "failed";
    if (state.phase === "failed") trouble("The session stopped: " + state.error + " Every answer is saved.");
    if (changed("notices", state.progress.notices)) $("notices").replaceChildren(...state.progress.notices.map((text) => make("li", {}, text)));
    question();
    condition();
    if (changed("patches", [state.patches, state.doubts, state.phase])) patches();
    if (changed("beside", state.beside)) beside();
    if (changed("history", [state.known, state.history])) history();
  }

  function question() {
    $("now").hidden = !state.question;
    if (!state.question) return;
    const asked = state.question;
    const prints = asked.printed !== null ? asked.verb + "s " + (asked.printed || "(nothing)") : asked.ended;
    $("now-text").textContent = asked.input.trim() + " → " + prints + ". " + asked.ask;
    $("now-why").textContent = asked.why;
  }

  function condition() {
    const open = state.suggested ? "the answers so far suggest: " + state.suggested : "not known yet; the picture shows what the answers suggest";
    $("condition").textContent = state.condition || (state.phase === "finished" ? "no condition was found" : open);
    $("risk").textContent = state.risk ? "Chance that this is wrong on inputs like those generated: " + percent(state.risk.estimate) + (state.risk.upper95 < 0.9 ? ", at most " + percent(state.risk.upper95) + " (95 % sure)" : ", a guess that so few answers cannot prove") : "";
    if (!changed("plot", state.plot)) return;
    $("plot-figure").hidden = !state.plot;
    if (!state.plot) return;
    $("plot").replaceChildren(drawPlot(state.plot));
    $("plot-caption").textContent = "Predicted by " + state.plot.by + (state.plot.fixed ? ", for " + state.plot.fixed : "") + ". Values in order, not to scale." + (state.plot.dots.some((dot) => dot.apart) ? " Pale: answers about other values of the other inputs." : "");
  }

  function patches() {
    $("no-patches").hidden = state.patches.length > 0;
    $("no-patches").textContent = state.phase === "finished" ? "No patch was found that agrees with every answer." : "Patches are shown when the questions are over.";
    const [best, ...rest] = state.patches.map(patch);
    $("patches").replaceChildren(...(best ? [best] : []));
    if (rest.length) {
      const more = rest.length === 1 ? "1 other patch that agrees with every answer" : rest.length + " other patches that agree with every answer";
      $("patches").append(make("details", { "aria-label": more }, make("summary", {}, more), ...rest));
    }
    $("doubts").replaceChildren(...state.doubts.map((text) => make("li", {}, "In doubt: " + text)));
  }

  // What differs between the fixes, on one input: who reads values side by side decides faster.
  function beside() {
    $("beside").hidden = !state.beside;
    if (!state.beside) return;
    const { input, heads, rows } = state.beside;
    $("beside-input").textContent = input;
    $("beside-heads").replaceChildren(make("td", {}), ...heads.map((text) => make("th", { scope: "col" }, text)));
    $("beside-rows").replaceChildren(...rows.map(([name, ...cells]) => make("tr", {}, make("th", { scope: "row", class: "code" }, name), ...cells.map((cell) => make("td", { class: "code" + (cell === cells[0] ? "" : " differs") }, cell)))));
  }

  function patch(found, place) {
    const lines = found.diff.map((line) => {
      const kind = /^(---|\+\+\+) /.test(line) ? "at" : line.startsWith("+") ? "add" : line.startsWith("-") ? "del" : line.startsWith("@@") ? "at" : "same";
      return make("span", { class: kind }, line + "\n");
    });
    const button = make("button", { type: "button", class: place ? "plain-button" : "strong-button" }, "Apply to the source");
    const said = make("span", { role: "status", class: "quiet" });
    button.addEventListener("click", () => apply(found.id, button, said));
    const article = make(
      "article",
      { class: "patch", "aria-label": "Patch " + (place + 1) },
      make("h3", {}, place + 1 + ". ", ...live.coded(found.description || "patch " + found.id)),
      make("p", { class: "quiet" }, "confidence " + percent(found.confidence) + " · id " + found.id),
      make("pre", { class: "diff", tabindex: "0" }, ...lines),
    );
    if (found.evidence.length) article.append(make("ul", { class: "quiet" }, ...found.evidence.map((fact) => make("li", {}, fact))));
    article.append(make("p", { class: "row" }, button, " ", said));
    return article;
  }

  async function apply(id, button, said) {
    button.disabled = true;
    try {
      const reply = await live.post("apply", { patch: id });
      said.textContent = (reply.said.status === "applied" ? "Applied. " : "Not applied: ") + reply.said.message;
      said.className = reply.said.status === "applied" ? "good" : "bad";
    } catch (problem) {
      said.textContent = "No connection; nothing is known of what was done. Look at the source.";
      said.className = "bad";
    }
    button.disabled = false;
  }

  function history() {
    const rows = [];
    // What was asked about later stands there with its answer.
    const asked = new Set(state.history.map((label) => label.input));
    for (const label of state.known) if (!asked.has(label.input)) rows.push(row("", label, "brought along"));
    for (const label of state.history) {
      rows.push(row(label.number, label, ""));
      if (label.ruled_out) rows.push(make("tr", { class: "more" }, make("td", {}), make("td", { colspan: "3", class: "quiet" }, ...live.coded(label.ruled_out))));
      if (label.people.length > 1) rows.push(people(label));
    }
    $("answers").replaceChildren(...rows);
  }

  function row(number, label, note) {
    const said = make("td", {}, make("span", { class: "verdict " + label.verdict }, label.said));
    if (note) said.append(make("span", { class: "quiet" }, " " + note));
    return make("tr", {}, make("td", {}, String(number)), make("td", { class: "code" }, label.input), make("td", { class: "code" }, label.output || "(nothing)"), said);
  }

  function people(label) {
    const cell = make("td", { colspan: "3", class: label.disagreement ? "disagree" : "quiet" });
    cell.append(label.disagreement ? "People disagree: " : "Several people answered: ");
    label.people.forEach((person, place) => {
      cell.append((place ? "; " : "") + person.who + " said “" + person.said + "”");
      if (person.agrees) return;
      const use = make("button", { type: "button", class: "link" }, "use this one");
      use.addEventListener("click", () => act("settle", { question: label.id, place: person.place }));
      cell.append(" ", use);
    });
    if (label.disagreement) cell.append(". The answer of most counts; the first one in a tie.");
    return make("tr", {}, make("td", {}), cell);
  }

  async function act(path, body) {
    try {
      const reply = await live.post(path, body);
      trouble(reply.code === 200 ? "" : reply.said.message || "That is no longer possible.");
    } catch (problem) {
      trouble("No connection.");
    }
  }

  async function openSession(button) {
    button.disabled = true;
    $("opening").textContent = "Opening " + button.dataset.open + "…";
    try {
      const reply = await live.post("open", { session: button.dataset.open });
      if (reply.code === 200) location.assign(reply.said.path);
      else $("opening").textContent = "It could not be opened: " + reply.said.message;
    } catch (problem) {
      $("opening").textContent = "No connection.";
    }
    button.disabled = false;
  }

  for (const button of document.querySelectorAll("[data-open]")) button.addEventListener("click", () => openSession(button));
  $("undo").addEventListener("click", () => act("undo", { answers: state.answers }));
  $("retry").addEventListener("click", () => act("retry", {}));
  $("copy").addEventListener("click", async () => {
    $("reporter-link").select();
    try {
      await navigator.clipboard.writeText($("reporter-link").value);
      $("copy").textContent = "Copied";
    } catch (problem) {
      $("copy").textContent = "Selected";
    }
  });

  live.connect(
    (news) => {
      if (state && state.phase === "failed" && news.phase !== "failed") trouble("");
      state = news;
      render();
    },
    (link) => {
      $("link-state").textContent = link === "connected" ? "" : "no connection, trying again…";
    },
  );
})();
