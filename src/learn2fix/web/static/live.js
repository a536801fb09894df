// What both pages share: live news that survives a night, and requests that may be repeated.
"use strict";

const SILENCE = 45000; // three heartbeats without a word: the connection is dead, whatever the browser thinks
const live = {};

live.connect = function (onState, onLink) {
  let source = null;
  let timer = null;
  let delay = 1000;

  function again() {
    clearTimeout(timer);
    if (source) source.close();
    source = null;
    onLink("reconnecting");
    timer = setTimeout(open, delay);
    delay = Math.min(delay * 1.5, 15000);
  }

  function heard() {
    clearTimeout(timer);
    timer = setTimeout(again, SILENCE);
    delay = 1000;
    onLink("connected");
  }

  function open() {
    clearTimeout(timer);
    if (source) source.close();
    source = new EventSource("news");
    timer = setTimeout(again, SILENCE);
    for (const name of ["question", "progress", "finished"]) {
      source.addEventListener(name, (event) => {
        heard();
        onState(JSON.parse(event.data));
      });
    }
    source.addEventListener("heartbeat", heard);
    source.onerror = again;
  }

  // A laptop that slept: do not wait for the timer to notice.
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && (!source || source.readyState !== EventSource.OPEN)) open();
  });
  window.addEventListener("online", open);
  open();
};

live.post = async function (path, body) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    cache: "no-store",
  });
  let said = {};
  try {
    said = await response.json();
  } catch (problem) {
    said = { message: "The server answered in a way this page does not understand (" + response.status + ")." };
  }
  return { code: response.status, said };
};

live.pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// What stands between backticks is code; nothing is ever markup.
live.coded = (text) => text.split("`").map((part, place) => (place % 2 ? live.make("code", {}, part) : part));

live.make = function (tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  for (const child of children) element.append(child);
  return element;
};
