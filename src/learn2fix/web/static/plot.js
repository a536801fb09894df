// The two most telling inputs: answers as dots, predictions as regions. Values in order, not to scale.
"use strict";

const drawPlot = function (plot) {
  const NS = "http://www.w3.org/2000/svg";
  const left = plot.y ? 64 : 14, top = 8, size = 34;
  const wide = plot.xs.length * size, high = plot.ys.length * size;
  const make = (tag, attributes, text) => {
    const element = document.createElementNS(NS, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const svg = make("svg", { viewBox: `0 0 ${left + wide + 8} ${top + high + 48}`, role: "img", class: "plot" });
  const bugs = plot.dots.filter((dot) => dot.verdict === "bug").length;
  const rights = plot.dots.filter((dot) => dot.verdict === "ok").length;
  svg.append(make("title", {}, `Answers by ${plot.x}${plot.y ? " and " + plot.y : ""}: ${bugs} bug, ${rights} ok`));
  const rowAt = (row) => top + (plot.ys.length - 1 - row) * size; // small values below
  plot.cells.forEach((cells, row) => cells.forEach((chance, column) => {
    const kind = chance >= 0.5 ? "bug" : "ok";
    const cell = make("rect", { x: left + column * size + 1, y: rowAt(row) + 1, width: size - 2, height: size - 2, rx: 3, class: "cell " + kind, "fill-opacity": (0.08 + 0.5 * Math.abs(chance - 0.5)).toFixed(2) });
    cell.append(make("title", {}, `${plot.x} = ${plot.xs[column]}${plot.y ? `, ${plot.y} = ${plot.ys[row]}` : ""}: bug with chance ${Math.round(chance * 100)} %`));
    svg.append(cell);
  }));
  const seen = new Map();
  for (const dot of plot.dots) {
    const key = dot.column + " " + dot.row;
    const count = seen.get(key) || 0;
    seen.set(key, count + 1);
    const angle = count * 2.4, far = count ? 8 : 0;
    const x = left + (dot.column + 0.5) * size + far * Math.cos(angle);
    const y = rowAt(dot.row) + size / 2 + far * Math.sin(angle);
    const pale = dot.apart ? " apart" : "";
    const mark = dot.verdict === "bug"
      ? make("path", { d: `M${x - 5} ${y - 5}l10 10m0 -10l-10 10`, class: "dot bug" + pale })
      : make("circle", { cx: x, cy: y, r: dot.verdict === "ok" ? 5 : 4, class: "dot " + dot.verdict + pale });
    mark.append(make("title", {}, `${dot.text}: ${dot.verdict}`));
    svg.append(mark);
  }
  plot.xs.forEach((text, column) => svg.append(make("text", { x: left + (column + 0.5) * size, y: top + high + 15, class: "tick middle" }, text)));
  plot.ys.forEach((text, row) => svg.append(make("text", { x: left - 6, y: rowAt(row) + size / 2 + 4, class: "tick end" }, text)));
  svg.append(make("text", { x: left + wide / 2, y: top + high + 38, class: "name middle" }, plot.x));
  if (plot.y) svg.append(make("text", { x: 14, y: top + high / 2, class: "name middle", transform: `rotate(-90 14 ${top + high / 2})` }, plot.y));
  return svg;
};
