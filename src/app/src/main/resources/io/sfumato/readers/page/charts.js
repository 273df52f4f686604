"use strict";
// Charts of lines with interval bands, drawn by uPlot. A chart is a slider for keyboards and screen
// readers: its value is the window under the cursor, in words. Only text nodes and attributes are
// set: nothing that comes from a topic is ever taken for markup.

const SVG = "http://www.w3.org/2000/svg";
const UNKNOWN = 1, CLAMPED = 2; // marks of a number
const KEYS = 12; // lines of one chart: eight colours, and three kinds of strokes
const COLOURS = 8;
const STROKES = [[], [6, 3], [2, 3]]; // the style sheet has them for the legend
const FAINT = ["59", "33", "20"]; // opacity of up to 4, 8 and 12 bands in one chart
const SMALL = 180, LARGE = 360; // pixels of height

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

// Of a measure such as a count: no decimals anywhere.
const isWhole = courses => courses.every(course => ["values", "lows", "highs"].every(name => course[name].every(value => value === null || Number.isInteger(value))));

// As many digits as the interval leaves certain, and two more.
function format(value, width, {share, whole}) {
  const size = width > 0 ? width / 2 : Math.abs(value) / 100;
  const shown = share ? size * 100 : size;
  const fraction = whole && !share ? 0 : Math.max(0, Math.min(6, 1 - Math.floor(Math.log10(shown || 1))));
  return value.toLocaleString("en", {style: share ? "percent" : "decimal", minimumFractionDigits: fraction, maximumFractionDigits: fraction, signDisplay: "negative"});
}

// What a chart, a table and a legend say of one number.
function said(course, i, kind) {
  const value = course.values[i];
  if (value === null || value === undefined) return {value: "–", interval: "", note: ""};
  const low = course.lows[i], high = course.highs[i], mark = course.marks?.[i] ?? 0;
  const width = low === null ? 0 : high - low;
  return {
    value: mark & UNKNOWN ? "unknown" : format(value, width, kind),
    interval: low === null ? "" : `${format(low, width, kind)} to ${format(high, width, kind)}`,
    note: [mark & UNKNOWN ? "the noise hides the value" : "", mark & CLAMPED ? "moved to the nearest possible value" : ""].filter(Boolean).join("; "),
  };
}

function sentence(course, i, kind) {
  const {value, interval} = said(course, i, kind);
  return interval ? `${value} (${interval})` : value;
}

const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Unknown numbers have an interval of everything: they would flatten all others.
function drawn(course, name) {
  return course.marks ? course[name].map((value, i) => course.marks[i] & UNKNOWN ? null : value) : course[name];
}

// Lines end where a neighbour is missing: what stands alone there would not be seen.
const missing = (values, i) => i >= 0 && i < values.length && (values[i] ?? null) === null;
const edges = values => values.flatMap((value, i) => value !== null && (missing(values, i - 1) || missing(values, i + 1)) ? [i] : []);
const isAlone = (values, i) => (values[i - 1] ?? null) === null && (values[i + 1] ?? null) === null;

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

// Whole steps for whole numbers: there is no half record.
const WHOLE_STEPS = Array.from({length: 15}, (_, i) => [1, 2, 5].map(step => step * 10 ** i)).flat();

// All ticks of an axis have as many decimals as the distance between them needs.
function tick(value, step, share) {
  const large = Math.abs(value) >= 10000 && !share;
  const digits = Math.max(0, Math.min(6, Math.ceil(-Math.log10((share ? 100 : 1) * step) - 1e-9)));
  return value.toLocaleString("en", large ? {notation: "compact", maximumFractionDigits: 3}
    : {style: share ? "percent" : "decimal", minimumFractionDigits: digits, maximumFractionDigits: digits});
}

function axes({share, whole, words, zone}) {
  const ink = colour("--quiet"), line = colour("--line");
  const font = "12px system-ui, 'DejaVu Sans', sans-serif";
  const ticks = (_, values, axis, space, step) => values.map(value => tick(value, step, share));
  const title = {labelFont: font, labelSize: 18, labelGap: 0};
  return [
    {stroke: ink, font, values: TIMES, grid: {show: false}, ticks: {stroke: line, size: 4}, size: 38, gap: 2, space: 62, ...title, label: `start of the window (${zone})`},
    {stroke: ink, font, grid: {stroke: line, width: 1}, ticks: {show: false}, size: 46, gap: 4, space: 26, ...title, label: words,
      ...(whole && !share ? {incrs: WHOLE_STEPS} : {}), values: ticks},
  ];
}

const strokeOf = key => Math.floor(key / 4) % STROKES.length;

// The points to draw where a chart has no room for all of them.
const ends = (plot, at, all) => all ? null : edges(plot.data[at]);

// A band needs two windows: where there is one, its interval is a stroke.
function lonely(plot) {
  for (let at = 3; at < plot.data.length; at += 3) {
    const [highs, lows, values] = [plot.data[at - 2], plot.data[at - 1], plot.data[at]];
    for (const i of edges(values).filter(edge => isAlone(values, edge) && (lows[edge] ?? null) !== null)) {
      const x = plot.valToPos(plot.data[0][i], "x", true);
      plot.ctx.save();
      plot.ctx.strokeStyle = plot.series[at]._stroke;
      plot.ctx.lineWidth = devicePixelRatio;
      plot.ctx.beginPath();
      plot.ctx.moveTo(x, plot.valToPos(lows[i], "y", true));
      plot.ctx.lineTo(x, plot.valToPos(highs[i], "y", true));
      plot.ctx.stroke();
      plot.ctx.restore();
    }
  }
}

// Of one line: the ends of its band, and the line over it.
function series(key, faint, width) {
  const stroke = colour(`--line-${key % COLOURS}`);
  const dash = STROKES[strokeOf(key)];
  const end = {stroke: "transparent", width: 0, points: {show: false}};
  return {all: [end, end, {stroke, width, dash, points: {size: 5, fill: stroke, filter: ends}}], band: stroke + faint};
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
    this.grid.classList.toggle("lines", shown.together || shown.courses.length === 1);
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
      const {all: three, band} = series(together ? i : 0, FAINT[Math.floor((chart.courses.length - 1) / 4)], starts.length > 100 ? 1 : 1.5);
      bands.push({series: [data.length, data.length + 1], fill: band});
      data.push(drawn(course, "highs"), drawn(course, "lows"), drawn(course, "values"));
      all.push(...three);
    });
    chart.plot = new uPlot({
      width: Math.max(160, chart.body.clientWidth), height: together || this.shown.courses.length === 1 ? LARGE : SMALL, ms: 1,
      tzDate: time => uPlot.tzDate(new Date(time), this.zone),
      padding: [6, 20, 0, 0], series: all, bands, axes: axes(this.shown), legend: {show: false},
      scales: {x: {time: true, range: (_, first, last) => first === last ? [first - 43200000, last + 43200000] : [first, last]}, y: {range: () => chart.range}},
      cursor: {y: false, drag: {x: false, y: false}, points: {size: 7}},
      hooks: {setCursor: [plot => this.pointed(plot)], draw: [lonely]},
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
    const {names, together} = this.shown;
    const at = this.window ?? names.length - 1;
    for (const chart of this.all) {
      const words = chart.courses.map(course => sentence(course, at, this.shown));
      chart.value.textContent = words[0];
      fill(chart.box, undefined, {"aria-valuemin": 1, "aria-valuemax": names.length, "aria-valuenow": at + 1,
        "aria-valuetext": `${names[at]}: ${together ? chart.courses.map((course, i) => `${course.label} ${words[i]}`).join("; ") : words[0]}`});
    }
    if (together) {
      [...this.legend.children].forEach((item, i) => { item.lastChild.textContent = ` ${sentence(this.shown.courses[i], at, this.shown)}`; });
    }
    byId("hint").textContent = this.window === null ? HINT : `Numbers of the window from ${names[at]}.`;
  }

  keys() {
    this.legend.hidden = !this.shown.together;
    this.legend.replaceChildren(...(this.shown.together ? this.shown.courses.map((course, i) => {
      const line = fill(document.createElementNS(SVG, "line"), undefined, {x1: 0, y1: 5, x2: 26, y2: 5, class: `key-${i % COLOURS} dash-${strokeOf(i)}`});
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
