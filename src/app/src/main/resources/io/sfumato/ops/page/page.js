"use strict";
// Draws what /events sends, once a second. Only text nodes and attributes are set: nothing that
// comes from a topic is ever taken for markup.

const SVG = "http://www.w3.org/2000/svg";
const NUMBER = new Intl.NumberFormat("en", {maximumFractionDigits: 1});
const TENTHS = new Intl.NumberFormat("en", {signDisplay: "negative", minimumFractionDigits: 1, maximumFractionDigits: 1});
const PERCENT = new Intl.NumberFormat("en", {signDisplay: "negative", style: "percent", maximumFractionDigits: 1});
const SILENCE = 5000;
const LINES = 4; // of a course: as many as there are colours for

const byId = id => document.getElementById(id);

function make(name, content, attributes = {}) {
  const element = document.createElement(name);
  return fill(element, content, attributes);
}

function draw(name, attributes = {}, content) {
  return fill(document.createElementNS(SVG, name), content, attributes);
}

function fill(element, content, attributes) {
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (Array.isArray(content)) element.append(...content);
  else if (content !== undefined) element.textContent = content;
  return element;
}

function text(id, value) {
  const element = byId(id);
  if (element.textContent !== value) element.textContent = value;
}

const many = (value, one, more = `${one}s`) => `${NUMBER.format(value)} ${value === 1 ? one : more}`;
const number = value => value === undefined ? "–" : NUMBER.format(value);

function seconds(value) {
  if (value === undefined) return "–";
  for (const [unit, size] of [["d", 86400], ["h", 3600], ["min", 60]]) {
    if (value >= 2 * size) return `${NUMBER.format(value / size)} ${unit}`;
  }
  return `${NUMBER.format(value)} s`;
}

const time = iso => iso === undefined ? "–" : iso.replace("T", " ").replace(/(\.000)?Z$/, "");
const small = text => Number(text) > 0 && Number(text) < 0.01 ? Number(text).toExponential() : text;
const words = code => code.replaceAll("_", " ");

function rows(id, cells) {
  const table = byId(id);
  // On narrow screens rows are blocks, which are tables for readers only if they say so.
  const labels = table.classList.contains("stack") ? [...table.tHead.rows[0].cells].map(th => th.textContent) : [];
  table.tBodies[0].replaceChildren(...cells.map(row => {
    labels.forEach((label, i) => fill(row[i], undefined, {"data-label": label, role: i === 0 ? "rowheader" : "cell"}));
    return make("tr", row, labels.length ? {role: "row"} : {});
  }));
}

// Only what has changed is drawn anew: what was chosen, scrolled to or has the focus stays so.
const kept = new Map();
function keep(id, items, drawn) {
  const parent = byId(id), before = kept.get(id) ?? new Map(), now = new Map();
  for (const item of items) {
    let key = JSON.stringify(item) ?? "";
    while (now.has(key)) key += " "; // of two that are alike
    now.set(key, before.get(key) ?? drawn(item));
  }
  kept.set(id, now);
  [...now.values()].forEach((element, i) => {
    if (parent.children[i] !== element) parent.insertBefore(element, parent.children[i] ?? null);
  });
  while (parent.children.length > now.size) parent.lastElementChild.remove();
}

const cell = (value, numeric) => make("td", value, numeric ? {class: "n"} : {});
const head = value => make("th", value, {scope: "row"});

function counts(id, object) {
  const entries = Object.entries(object).sort((a, b) => b[1] - a[1]);
  rows(id, entries.length === 0
    ? [[head("none"), cell("0", true)]]
    : entries.map(([code, count]) => {
        const row = [head(words(code)), cell(number(count), true)];
        row[1].dataset.code = code;
        return row;
      }));
}

function spark(rates) {
  const top = Math.max(1, ...rates);
  const points = rates.map((rate, i) => `${i === 0 ? "M" : "L"}${((60 - rates.length + i) / 59 * 240).toFixed(1)},${(46 - rate / top * 44).toFixed(1)}`);
  byId("spark").replaceChildren(draw("path", {d: points.join("") || "M0,46"}));
}

function meter(part, bad) {
  const svg = draw("svg", {class: "meter", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true"});
  svg.append(draw("rect", {class: "rail", width: 100, height: 10}),
    draw("rect", {class: bad ? "fill bad" : "fill", width: 100 * part, height: 10}));
  return svg;
}

function budget(share) {
  const box = make("div", undefined, {class: "share"});
  box.append(make("h3", share.share));
  if (share.nobody) {
    box.append(make("p", "No budget spent yet.", {class: "quiet"}));
    return box;
  }
  if (share.half === undefined) {
    box.append(make("p", "Ledgers are being counted …", {class: "quiet"}));
    return box;
  }
  const table = make("table");
  const body = make("tbody");
  for (const [key, label] of [["half", "half spent or more"], ["most", "80% spent or more"], ["all", "nothing left"]]) {
    const value = cell(PERCENT.format(share[key]), true);
    value.dataset.budget = key;
    body.append(make("tr", [head(label), cell([meter(share[key], key === "all")]), value]));
  }
  table.append(body);
  box.append(table, make("p", share.left === 0
    ? "Half of them have nothing left." : `Half of them have about ${many(share.left, "release")} left, or fewer.`, {class: "quiet"}));
  return box;
}

function bar(share) {
  const svg = draw("svg", {class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true"});
  const at = place => 100 * Math.min(1, Math.max(0, place));
  const from = at(share.low ?? share.share), to = at(share.high ?? share.share);
  svg.append(draw("rect", {class: "rail", width: 100, height: 10}),
    draw("rect", {class: "fill", width: at(share.share), height: 10}),
    draw("path", {class: "whisker", d: `M${from},5H${to}M${from},2V8M${to},2V8`}));
  return svg;
}

// A name in two short lines: what many long ones have in common is their beginning, or their end. Spaces at either end, escaped, are seen.
const LETTERS = new Intl.Segmenter("en");
function cut(name) {
  const seen = name.replace(/^(\\u0020)+|(\\u0020)+$/g, spaces => "␣".repeat(spaces.length / 6));
  const letters = [...LETTERS.segment(seen)].map(part => part.segment);
  return letters.length <= 22 ? seen : `${letters.slice(0, 11).join("")}…${letters.slice(-10).join("")}`;
}

// A number with its error, and what is added in brackets: each stays on one line, the two need not.
function told(text) {
  const at = text.indexOf(" (");
  return at < 0 ? [make("span", text)] : [make("span", text.slice(0, at)), " ", make("span", text.slice(at + 1))];
}

// The largest parts of an output, whatever kind it is of: those with a share have a bar.
function parted(output) {
  const shown = [...output.rows].sort((a, b) => b.value - a.value).slice(0, 8);
  const bars = shown.some(row => row.share !== undefined);
  const table = make("table", [...(output.about === undefined ? [] : [make("caption", output.about)]),
    make("tbody", shown.map(row => make("tr", [
      fill(head([make("bdi", cut(row.label))]), undefined, output.course && row.share !== undefined && row.line < LINES ? {title: row.label, class: `dot line-${row.line}`} : {title: row.label}),
      ...(bars ? [fill(cell(row.share === undefined ? "" : [bar(row)]), undefined, {class: "bar"})] : []),
      cell(told(row.text), true)])))]);
  const more = output.rows.length - shown.length + (output.more ?? 0);
  return [table, ...(more > 0 ? [make("p", `and ${many(more, "smaller one")}`, {class: "quiet"})] : [])];
}

// Each row of the first group over the last windows: a line through its places, and around it its interval. As high as they need.
function course(output) {
  const windows = output.course;
  const rows = Math.min(LINES, windows[0].places.length);
  const seen = windows.flatMap(w => [...w.lows.slice(0, rows), ...w.highs.slice(0, rows)]);
  const [low, high] = [Math.min(...seen), Math.max(...seen)];
  const x = i => (4 + i / (windows.length - 1) * 232).toFixed(1);
  const y = place => (60 - (Math.min(high, Math.max(low, place)) - low) / (high - low || 1) * 56).toFixed(1);
  const what = `${output.about === undefined ? "" : `${output.about.replace(/ \(.*\)$/, "")}: `}the last ${windows.length} windows`;
  const svg = draw("svg", {class: "course", viewBox: "0 0 240 64", preserveAspectRatio: "none", role: "img",
    "aria-label": `${output.output}${output.subject === undefined ? "" : `, ${output.subject}`}, ${what}`});
  for (let row = 0; row < rows; row++) {
    const up = windows.map((w, i) => `${x(i)},${y(w.highs[row])}`);
    const down = windows.map((w, i) => `${x(i)},${y(w.lows[row])}`).reverse();
    svg.append(draw("polygon", {class: `band line-${row}`, points: [...up, ...down].join(" ")}),
      draw("polyline", {class: `line line-${row}`, points: windows.map((w, i) => `${x(i)},${y(w.places[row])}`).join(" ")}));
  }
  return [svg, make("p", what, {class: "quiet"})];
}

function card(output) {
  const box = make("article");
  box.append(make("h3", output.subject === undefined ? output.output : `${output.output}, ${output.subject}`),
    make("p", `${time(output.from)} to ${time(output.to)}${output.records === undefined ? "" : `, ${many(output.records, "record")}`}${output.facts.map(fact => `, ${fact}`).join("")}`, {class: "quiet"}));
  if (output.example_left_out !== undefined) {
    box.append(make("p", `The bounds leave out ${PERCENT.format(output.example_left_out)} of the file’s public example; intervals cover noise only.`, {class: "quiet"}));
  }
  box.append(...parted(output));
  if (output.course) box.append(...course(output));
  if (output.drawings) box.append(drawings(output));
  for (const group of output.beside) box.append(...parted(group));
  return box;
}

function mean(output) {
  const box = make("article", undefined, {class: "together"});
  box.append(make("h3", `${output.output}, all together`),
    make("p", `${time(output.from)} to ${time(output.to)}, mean of ${many(output.releases, "release")}`, {class: "quiet"}),
    ...parted(output));
  return box;
}

// What is left, of the share that is nearest to its end.
function left(board) {
  if (board.pipeline.users) return "Remaining budgets are hidden: they would reveal who took part.";
  if (board.pipeline.any) return `Spent budget returns: no more than the budget is spent in any ${board.pipeline.any}.`;
  const known = board.budgets.filter(share => share.half !== undefined);
  if (known.length === 0) return board.budgets.some(share => share.nobody) ? "Left: the whole budget. Nothing is spent yet." : "Left: budgets are being counted …";
  const worst = known.reduce((a, b) => b.all > a.all || (b.all === a.all && b.half > a.half) ? b : a);
  if (worst.all === 1) return "Left: nothing. Every budget is spent, and further releases are refused.";
  if (worst.all > 0) return `Left: budget for most subjects. Up to ${PERCENT.format(worst.all)} of the subjects have spent their whole budget.`;
  return worst.half > 0 ? `Left: budget for every subject. Up to ${PERCENT.format(worst.half)} of the subjects have spent half of their budget or more.` : "Left: more than half of the budget, for every subject.";
}

function queries(board) {
  const asked = board.outputs.filter(output => output.asked !== undefined);
  byId("queries").hidden = asked.length === 0;
  byId("progress").replaceChildren(...asked.map(output => {
    const part = output.asked === 0 ? 0 : Math.min(1, output.released / output.asked);
    return make("div", [make("p", `${output.name}: ${number(output.released)} of ${number(output.asked)} candidates answered`), meter(part, false)]);
  }));
  rows("answers", board.latest.filter(output => output.asked).flatMap(output => output.rows.map(row => [
    head(output.subject === undefined ? output.output : `${output.output}, ${output.subject}`), cell(row.label, true), cell(row.text)])));
}

let drawn = "";

// Each sub-topology has rows of its own, from the topics that it reads to those that it writes; a topic between two stands in both.
function parts(graph) {
  const nodes = new Map(graph.nodes.map(node => [node.id, node]));
  const part = ([from, to]) => nodes.get(from).part ?? nodes.get(to).part;
  return [...new Set(graph.edges.map(part))].sort((a, b) => a - b).map(number => {
    const edges = graph.edges.filter(edge => part(edge) === number)
      .map(([from, to]) => [nodes.get(from).kind === "topic" ? `${from}>` : from, to]);
    // What reads or writes a topic and does nothing else is left to the list.
    const passed = id => ["source", "sink"].includes(nodes.get(id)?.kind);
    const ends = id => passed(id) ? edges.filter(edge => edge[0] === id).map(edge => edge[1]) : [id];
    const shown = edges.filter(([from]) => !passed(from)).flatMap(([from, to]) => ends(to).map(end => [from, end]));
    const depth = new Map(shown.flat().map(id => [id, 0]));
    for (let i = 0; i < depth.size; i++) {
      for (const [from, to] of shown) depth.set(to, Math.max(depth.get(to), depth.get(from) + 1));
    }
    const columns = [];
    for (const [id, at] of depth) (columns[at] ??= []).push(id);
    return {edges: shown, columns, node: id => nodes.get(id.replace(/>$/, ""))};
  });
}

function topology(graph) {
  const now = JSON.stringify(graph);
  if (now === drawn) return;
  drawn = now;
  const width = 186, height = 54, places = new Map(), paths = [], boxes = [];
  let top = 8, widest = 0;
  for (const [number, {edges, columns, node}] of parts(graph).entries()) {
    const tallest = Math.max(...columns.map(column => column.length));
    widest = Math.max(widest, columns.length);
    columns.forEach((column, x) => column.forEach((id, y) => {
      places.set(`${number} ${id}`, [x * width + 8, top + (y + (tallest - column.length) / 2) * height]);
    }));
    for (const [from, to] of edges) {
      const [x1, y1] = places.get(`${number} ${from}`), [x2, y2] = places.get(`${number} ${to}`);
      paths.push(draw("path", {d: `M${x1 + 150},${y1 + 19}C${x1 + 170},${y1 + 19} ${x2 - 20},${y2 + 19} ${x2},${y2 + 19}`}));
    }
    for (const id of columns.flat()) boxes.push(box(node(id), places.get(`${number} ${id}`)));
    top += tallest * height + 22;
  }
  const size = {width: widest * width - 20, height: Math.max(top - 22, 0)};
  const svg = byId("topology");
  fill(svg, boxes.length ? undefined : "", {viewBox: `0 0 ${size.width} ${size.height}`, ...size});
  svg.replaceChildren(...paths, ...boxes);
  const name = new Map(graph.nodes.map(node => [node.id, node.kind === "topic" ? `topic ${node.label}` : node.label]));
  byId("edges").replaceChildren(...graph.edges.map(([from, to]) => make("li", `${name.get(from)} → ${name.get(to)}`)));
}

function box(node, [x, y]) {
  const label = node.label.length > 24 ? `${node.label.slice(0, 10)}…${node.label.slice(-12)}` : node.label;
  const stores = node.stores?.length ?? 0;
  return draw("g", {}, [draw("title", {}, node.label),
    draw("rect", {x, y, width: 150, height: 38, rx: node.kind === "topic" ? 19 : 4, class: node.kind}),
    draw("text", {x: x + 75, y: y + (stores ? 17 : 23), "text-anchor": "middle"}, label),
    ...(stores ? [draw("text", {x: x + 75, y: y + 31, "text-anchor": "middle", class: "small"}, stores === 1 ? "1 store" : `${stores} stores`)] : [])]);
}

let heard = 0;

const alarm = reasons => banner("alert", reasons);

function banner(id, reasons) {
  const element = byId(id);
  const now = reasons.join("; ");
  if (element.textContent !== now) element.textContent = now;
  element.hidden = now === "";
}

function show(board) {
  heard = Date.now();
  document.body.classList.remove("old");
  const {pipeline, health, records} = board;
  document.title = `${pipeline.name} – Sfumato`;
  text("name", `${pipeline.name}, version ${pipeline.version}`);
  text("state", health.ready ? "running" : health.live ? health.state === "RUNNING" ? "not ready" : `not ready: ${words(health.state.toLowerCase())}` : "ended");
  byId("state").dataset.kind = health.ready ? "good" : health.live ? "wait" : "bad";
  text("brokers", health.brokers_most === 1 && health.brokers === 1 ? "1 broker" : `${health.brokers} of ${many(Math.max(health.brokers_most, health.brokers), "broker")}`);
  text("at", `as of ${time(board.at).slice(0, 19)} UTC`);
  const lost = health.brokers < health.brokers_most && health.brokers > 0
    ? [`${health.brokers_most - health.brokers} of ${many(health.brokers_most, "broker")} lost`] : [];
  alarm([...health.reasons, ...lost]);
  banner("note", health.notes);
  text("headline", pipeline.headline);
  text("left", left(board));
  text("protects", `Protected: ${pipeline.protects}.`);
  text("promise", pipeline.promise);
  text("sums", pipeline.sums ?? "");
  text("key", pipeline.noise_key);
  text("bounds", pipeline.bounds ?? "");
  const states = new Map(board.outputs.map(output => [output.name, output]));
  rows("outputs", pipeline.outputs.map(output => {
    const state = states.get(output.name);
    const refused = Object.values(state.refused).reduce((a, b) => a + b, 0);
    const row = [head(output.name), cell(output.topic), cell(output.epsilon, true), cell(small(output.delta), true),
      cell(`${number(output.lasts)} ${output.lasts === 1 ? output.counted.one : output.counted.many}${pipeline.period === "window" ? " a window" : pipeline.any ? ` in any ${pipeline.any}` : ""}`, true), cell(number(state.released), true),
      cell(number(refused), true), cell(number(state.silent), true)];
    row[5].dataset.released = output.name;
    return row;
  }));
  text("rate", number(records.per_second.at(-1)));
  spark(records.per_second);
  text("accepted", number(records.accepted));
  text("unenrolled", number(records.unenrolled));
  for (const element of document.querySelectorAll(".roster")) element.hidden = !pipeline.roster;
  text("unselected", number(records.unselected));
  for (const element of document.querySelectorAll(".filter")) element.hidden = records.unselected === 0;
  counts("dead", records.dead_letters);
  counts("untimely", records.untimely);
  const reasons = {};
  for (const output of board.outputs) {
    for (const [code, count] of Object.entries(output.refused)) reasons[code] = (reasons[code] ?? 0) + count;
  }
  counts("refusals", reasons);
  const refused = [reasons, records.dead_letters, records.untimely].some(object => Object.keys(object).length > 0);
  byId("refused").hidden = !refused;
  byId("no-refusals").hidden = refused;
  text("next", board.next.map(due => `Next release of ${due.outputs}: the window from ${time(due.from)}; it closes at ${time(due.closes)}.`).join(" "));
  byId("next").hidden = board.next.length === 0;
  byId("windows").hidden = board.partitions.length === 0;
  byId("no-windows").hidden = board.partitions.length > 0;
  const lags = board.partitions.map(p => p.lag_seconds).filter(lag => lag !== undefined);
  text("lag", lags.length === 0 ? "–" : seconds(Math.max(...lags)));
  rows("partitions", board.partitions.map(p => [
    fill(head(String(p.partition)), undefined, {class: "n"}), cell(time(p.released_through)), cell(seconds(p.lag_seconds), true),
    cell(p.held_back_by === undefined ? "" : `source partition ${p.held_back_by}`)]));
  byId("parts").hidden = board.budgets.length === 0;
  byId("budgets").replaceChildren(...(board.budgets.length ? board.budgets.map(budget)
    : [make("p", pipeline.any ? `Spent budget returns: no more than the budget is spent in any ${pipeline.any}.`
      : "Each user has a ledger. What is spent is hidden, because it would reveal who took part.", {class: "quiet"})]));
  const latest = board.latest ?? [];
  board.latest = latest;
  const cards = latest.filter(output => !output.asked);
  keep("latest", cards.length ? cards : [undefined], output => output ? card(output) : make("p", "None yet: the first window has not closed.", {class: "quiet"}));
  text("whose", pipeline.listed ? ", the newest of each subject first" : ", without their subjects");
  text("more", (board.more ?? []).map(left => `Not shown here: ${many(left.subjects, "more listed subject")} of ${left.output}.`).join(" "));
  byId("more").hidden = !board.more?.length;
  byId("scale").hidden = !cards.some(output => output.own_scale);
  byId("unknown").hidden = !cards.some(output => [output, ...output.beside].some(({rows}) => rows.some(row => row.text.startsWith("unknown"))));
  byId("together").replaceChildren(...(board.together ?? []).map(mean));
  byId("together").hidden = !board.together?.length;
  queries(board);
  if (board.topology) topology(board.topology);
}

// A drawing of a whole topology is nothing for a narrow screen.
byId("list").open = matchMedia("(max-width: 40rem)").matches;

const source = new EventSource("events");
source.onmessage = event => show(JSON.parse(event.data));

const watch = setInterval(() => {
  if (heard > 0 && Date.now() - heard > SILENCE) {
    alarm([`no data from the pipeline since ${new Date(heard).toISOString().slice(11, 19)} UTC: the numbers below are out of date`]);
    document.body.classList.add("old");
    text("state", "no connection");
    byId("state").dataset.kind = "bad";
  }
}, 1000);
