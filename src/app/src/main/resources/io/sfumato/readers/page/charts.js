"use strict";
// Charts of lines with interval bands, drawn by uPlot. A chart is a slider for keyboards and screen
// readers: its value is the window under the cursor, in words. Only text nodes and attributes are
// set: nothing that comes from a topic is ever taken for markup.

const SVG = "http://www.w3.org/2000/svg";
const UNKNOWN = 1, CLAMPED = 2; // marks of a number
const KEYS = 8; // lines of one chart: as many as there are colours for
const SMALL = 140, LARGE = 360; // pixels of height

const HINT = "Numbers of the newest window. Point at a chart or press the arrow keys on it for others.";

const byId = id => document.getElementById(id);

function make(name, content, attributes = {}) {
  return fill(document.createElement(name), content, attributes);
}

function fill(element, content, attributes = {}) {
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (Array.isArray(content)) element.append(...content);
  else if (content !== undefined) element.textContent = content;
  return element;
}

const count = (value, one, more = `${one}s`) => `${value.toLocaleString("en")} ${value === 1 ? one : more}`;

// As many digits as the interval leaves certain, and two more.
function format(value, width, share) {
  const size = width > 0 ? width / 2 : Math.abs(value) / 100;
  const shown = share ? size * 100 : size;
  const fraction = Number.isInteger(value) && !share ? 0 : Math.max(0, Math.min(6, 1 - Math.floor(Math.log10(shown || 1))));
  return value.toLocaleString("en", {style: share ? "percent" : "decimal", maximumFractionDigits: fraction, signDisplay: "negative"});
}

// What a chart, a table and a legend say of one number.
function said(course, i, share) {
  const value = course.values[i];
  if (value === null || value === undefined) return {value: "–", interval: "", note: ""};
  const low = course.lows[i], high = course.highs[i], mark = course.marks?.[i] ?? 0;
  const width = low === null ? 0 : high - low;
  return {
    value: mark & UNKNOWN ? "unknown" : format(value, width, share),
    interval: low === null ? "" : `${format(low, width, share)} to ${format(high, width, share)}`,
    note: [mark & UNKNOWN ? "the noise hides the value" : "", mark & CLAMPED ? "moved to the nearest possible value" : ""].filter(Boolean).join("; "),
  };
}

function sentence(course, i, share) {
  const {value, interval} = said(course, i, share);
  return interval ? `${value} (${interval})` : value;
}

const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Unknown numbers have an interval of everything: they would flatten all others.
function drawn(course, name) {
  return course.marks ? course[name].map((value, i) => course.marks[i] & UNKNOWN ? null : value) : course[name];
}

function extent(courses) {
  let least = Infinity, most = -Infinity;
  for (const course of courses) {
    for (const name of ["values", "lows", "highs"]) {
      for (const value of drawn(course, name)) {
        if (value !== null && value < least) least = value;
        if (value !== null && value > most) most = value;
      }
    }
  }
  if (least > most) return [0, 1];
  // From zero, unless that would hide how the line moves.
  if (least > 0 && least < 0.6 * most) least = 0;
  const room = (most - least || Math.abs(most) || 1) * 0.05;
  return [least === 0 ? 0 : least - room, most + room];
}

// Per distance of ticks in milliseconds: what every tick says, and the first one of a year and of a day.
const TIMES = [
  [31536e6, "{YYYY}"],
  [24192e5, "{MMM}", "\n{YYYY}"],
  [864e5, "{D} {MMM}", "\n{YYYY}"],
  [6e4, "{HH}:{mm}", "\n{D} {MMM} {YYYY}", null, "\n{D} {MMM}"],
  [1, "{HH}:{mm}:{ss}", "\n{D} {MMM} {YYYY}", null, "\n{D} {MMM}"],
].map(row => [...row, ...Array(8 - row.length).fill(null), 1]);

function axes(share, [least, most]) {
  const ink = colour("--quiet"), line = colour("--line");
  const font = "12px system-ui, 'DejaVu Sans', sans-serif";
  const short = new Intl.NumberFormat("en", share ? {style: "percent", maximumFractionDigits: 2}
    : {notation: "compact", maximumFractionDigits: most - least < 0.1 ? 4 : 2});
  return [
    {stroke: ink, font, values: TIMES, grid: {show: false}, ticks: {stroke: line, size: 4}, size: 38, gap: 2, space: 70},
    {stroke: ink, font, grid: {stroke: line, width: 1}, ticks: {show: false}, size: 46, gap: 4, space: 32, values: (_, ticks) => ticks.map(tick => short.format(tick))},
  ];
}

// Of one line: the ends of its band, and the line over it.
function series(key, faint) {
  const stroke = colour(`--line-${key % KEYS}`);
  const dash = key % KEYS >= KEYS / 2 ? [6, 3] : undefined;
  const end = {stroke: "transparent", width: 0, points: {show: false}};
  return {all: [end, end, {stroke, width: 1.5, dash, points: {size: 5, fill: stroke}}], band: stroke + faint};
}

class Charts {
  constructor(grid, legend, zone) {
    this.grid = grid;
    this.legend = legend;
    this.zone = zone;
    this.all = [];
    this.window = null;
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(grid);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.shown && this.show(this.shown));
  }

  // What is shown: names of windows, courses of lines with their labels, and how.
  show(shown) {
    const focused = this.all.findIndex(chart => chart.box === document.activeElement);
    this.shown = shown;
    for (const chart of this.all) chart.plot.destroy();
    this.window = null;
    this.grid.classList.toggle("lines", shown.together);
    const sets = shown.courses.length === 0 ? [] : shown.together ? [shown.courses] : shown.courses.map(course => [course]);
    const common = shown.same ? extent(shown.courses) : undefined;
    this.all = sets.map(courses => this.chart(courses, common ?? extent(courses)));
    this.grid.replaceChildren(...this.all.map(chart => chart.box));
    for (const chart of this.all) this.draw(chart);
    this.keys();
    this.say();
    if (focused >= 0) this.all[Math.min(focused, this.all.length - 1)]?.box.focus();
  }

  chart(courses, range) {
    const {together, what} = this.shown;
    const value = make("span");
    const title = together ? [] : [make("h3", [make("bdi", courses[0].label), value])];
    const body = make("div");
    const box = make("div", [...title, body], {class: "chart", role: "slider", tabindex: "0", "aria-orientation": "horizontal",
      "aria-label": together ? `${what}, ${count(courses.length, "line")}` : `${what}, ${courses[0].label}`});
    const chart = {courses, range, value, body, box};
    box.addEventListener("keydown", event => this.key(event));
    return chart;
  }

  draw(chart) {
    const {starts, share, together} = this.shown;
    const data = [starts], all = [{}], bands = [];
    chart.courses.forEach((course, i) => {
      const {all: three, band} = series(together ? i : 0, chart.courses.length > 4 ? "2a" : "4d");
      bands.push({series: [data.length, data.length + 1], fill: band});
      data.push(drawn(course, "highs"), drawn(course, "lows"), drawn(course, "values"));
      all.push(...three);
    });
    chart.plot = new uPlot({
      width: Math.max(160, chart.body.clientWidth), height: together ? LARGE : SMALL, ms: 1,
      tzDate: time => uPlot.tzDate(new Date(time), this.zone),
      padding: [6, 20, 0, 0], series: all, bands, axes: axes(share, chart.range), legend: {show: false},
      scales: {x: {time: true, range: (_, first, last) => first === last ? [first - 43200000, last + 43200000] : [first, last]}, y: {range: () => chart.range}},
      cursor: {y: false, drag: {x: false, y: false}, points: {size: 7}},
      hooks: {setCursor: [plot => this.pointed(plot)]},
    }, data, chart.body);
    chart.plot.root.setAttribute("aria-hidden", "true");
  }

  // The pointer is over a window of one chart: all charts show it.
  pointed(plot) {
    if (this.moving) return;
    this.window = plot.cursor.idx ?? null;
    this.move(plot);
  }

  move(from) {
    this.moving = true;
    for (const {plot} of this.all) {
      if (plot && plot !== from) plot.setCursor({left: this.window === null ? -10 : plot.valToPos(this.shown.starts[this.window], "x"), top: 10});
    }
    this.moving = false;
    this.say();
  }

  key(event) {
    const last = this.shown.starts.length - 1;
    const at = this.window ?? last;
    const to = {ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1,
      PageDown: at - 10, PageUp: at + 10, Home: 0, End: last}[event.key];
    if (event.key === "Escape") this.window = null;
    else if (to === undefined) return;
    else this.window = Math.max(0, Math.min(last, to));
    event.preventDefault();
    this.move();
  }

  say() {
    const {names, share, together} = this.shown;
    const at = this.window ?? names.length - 1;
    for (const chart of this.all) {
      const words = chart.courses.map(course => sentence(course, at, share));
      chart.value.textContent = words[0];
      fill(chart.box, undefined, {"aria-valuemin": 1, "aria-valuemax": names.length, "aria-valuenow": at + 1,
        "aria-valuetext": `${names[at]}: ${together ? chart.courses.map((course, i) => `${course.label} ${words[i]}`).join("; ") : words[0]}`});
    }
    if (together) {
      [...this.legend.children].forEach((item, i) => { item.lastChild.textContent = ` ${sentence(this.shown.courses[i], at, share)}`; });
    }
    byId("hint").textContent = this.window === null ? HINT : `Numbers of the window from ${names[at]}.`;
  }

  keys() {
    this.legend.hidden = !this.shown.together;
    this.legend.replaceChildren(...(this.shown.together ? this.shown.courses.map((course, i) => {
      const line = fill(document.createElementNS(SVG, "line"), undefined, {x1: 0, y1: 5, x2: 26, y2: 5, class: `key-${i % KEYS} dash-${i % KEYS >= KEYS / 2 ? 1 : 0}`});
      const sample = fill(document.createElementNS(SVG, "svg"), [line], {viewBox: "0 0 26 10", "aria-hidden": "true"});
      return make("li", [sample, make("bdi", course.label), make("span")]);
    }) : []));
  }

  resize() {
    for (const {plot, body} of this.all) {
      const width = Math.max(160, body.clientWidth);
      if (plot && plot.width !== width) plot.setSize({width, height: plot.height});
    }
  }
}
