"use strict";
// Tables of several fields on a card, one of them at a time: two fields as a map of colours, whose
// cells can be walked with the arrow keys; one field, or the levels of a path, as bars.

const STEPS = 7; // as many colours as style.css has
const NUMBERS = 30; // letters of a row of numbers that a narrow card has room for
const MANY = 8; // columns that a narrow card has room for
const VERTICAL = 4; // more columns than these have their names upright
const SHORT = new Intl.NumberFormat("en", {notation: "compact", maximumSignificantDigits: 3});
// How counts stand in a table whose largest is this one: all of them in few letters, or none.
const numbersFor = most => count => (most < 100000 ? NUMBER : SHORT).format(count);
const interval = ([count, below, above]) => below + above === 0 ? ""
  : ` (${NUMBER.format(count - below)} to ${NUMBER.format(count + above)})`;
const whole = cell => NUMBER.format(cell[0]) + interval(cell);

// By output: whoever looks at one pair of fields wants to see it of the next window too.
const chosen = new Map();

// Where each colour begins. Root-wise: most tables have a few large cells and many small ones.
function steps(most) {
  return Array.from({length: STEPS}, (_, step) => Math.ceil(most * (step / STEPS) ** 2));
}

const step = (count, from) => from.findLastIndex(start => count >= start);

function legend(from, most, brief) {
  const parts = from.map((start, i) => [start, i === STEPS - 1 ? most : from[i + 1] - 1, i])
    .filter(([start, end]) => start <= end);
  return make("ul", parts.map(([start, end, i]) => make("li", [make("span", "", {class: `heat-${i}`, "aria-hidden": "true"}),
    start === end ? brief(start) : `${brief(start)}–${brief(end)}`])), {class: "legend", "aria-label": "Colours of counts"});
}

const heading = (value, attributes) => make("th", [make("bdi", cut(value))], {title: value, ...attributes});

function cellsOf(grid) {
  const wide = grid.across.values.length;
  return grid.down.values.map((value, row) => ({value, cells: Array.from({length: wide},
    (_, i) => grid.cells.slice(3 * (row * wide + i), 3 * (row * wide + i) + 3))}));
}

// How long a row is whose numbers are all as long as the longest.
function lettersOf(grid) {
  const counts = grid.cells.filter((_, i) => i % 3 === 0), brief = numbersFor(Math.max(...counts));
  return grid.across.values.length * (Math.max(...counts.map(count => brief(count).length)) + 1);
}

// What is not shown, if anything.
function unseen(grid) {
  const sides = [[grid.down, "row"], [grid.across, "column"]].filter(([side]) => side.more > 0)
    .map(([side, word]) => `${many(side.values.length, word)} of ${NUMBER.format(side.values.length + side.more)}`);
  return sides.length === 0 ? [] : [make("p", `The largest ${sides.join(" and ")}: ${PERCENT.format(grid.held)} of all.`, {class: "quiet"})];
}

function heat(grid, words) {
  const rows = cellsOf(grid);
  const most = Math.max(1, ...rows.flatMap(row => row.cells.map(([count]) => count)));
  const from = steps(most), brief = numbersFor(most);
  const letters = lettersOf(grid);
  const hint = "Point at a cell, or move with the arrow keys, to see its 95% interval.";
  const told = make("p", hint, {class: "quiet told", "aria-live": "polite"});
  const table = make("table", [
    make("caption", `${grid.down.field} by ${grid.across.field}`, {class: "hidden"}),
    make("thead", [make("tr", [make("th", [make("span", `${cut(grid.down.field)} ↓`), make("span", `${cut(grid.across.field)} →`)], {class: "corner"}),
      ...grid.across.values.map(value => heading(value, {scope: "col"}))])]),
    make("tbody", rows.map(({value, cells}, y) => make("tr", [heading(value, {scope: "row"}),
      ...cells.map((cell, x) => {
        const td = make("td", [make("span", brief(cell[0])), make("span", interval(cell), {class: "hidden"})],
          {class: `heat-${step(cell[0], from)}`, tabindex: x + y === 0 ? "0" : "-1"});
        td.dataset.at = `${value}, ${grid.across.values[x]}: ${whole(cell)}`;
        return td;
      })])))], {role: "grid", "aria-label": `${words}: ${grid.title}`,
    class: ["heat", letters <= NUMBERS ? "numbers" : letters <= 5 * NUMBERS ? "wide-numbers" : "", grid.across.values.length > VERTICAL ? "upright" : ""].join(" ").trim()});
  const tell = event => {
    const cell = event.target.closest?.("td");
    told.textContent = cell?.dataset.at ?? hint;
  };
  table.addEventListener("pointerover", tell);
  table.addEventListener("focusin", tell);
  table.addEventListener("keydown", walk);
  return [make("div", [table], {class: "scroll"}), told, legend(from, most, brief), ...unseen(grid)];
}

function walk(event) {
  const [down, right] = {ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1],
    Home: [0, -Infinity], End: [0, Infinity]}[event.key] ?? [];
  const cell = event.target.closest("td");
  if (down === undefined || !cell) return;
  event.preventDefault();
  const body = cell.closest("tbody"), line = cell.parentNode;
  const row = body.rows[Math.min(body.rows.length - 1, Math.max(0, line.sectionRowIndex + down))];
  const next = row.cells[Math.min(row.cells.length - 1, Math.max(1, cell.cellIndex + right))];
  cell.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

function nested(bars) {
  const most = Math.max(1, ...bars.bars.map(({cell: [count, , above]}) => count + above));
  const table = make("table", [make("caption", bars.title), make("tbody", bars.bars.map(({label, within = [], cell: counted}) => {
    const [count, below, above] = counted;
    return make("tr", [
      make("th", [make("span", within.map(value => `${value} > `).join(""), {class: "hidden"}), make("bdi", cut(label))],
        {scope: "row", class: `depth-${Math.min(5, within.length)}`, title: [...within, label].join(" > ")}),
      fill(cell([bar({share: count / most, low: (count - below) / most, high: (count + above) / most})]), undefined, {class: "bar"}),
      fill(cell([NUMBER.format(count), make("span", interval(counted), {class: "hidden"})], true), undefined, {title: whole(counted)})]);
  }))], {class: "nested"});
  return [table, ...(bars.more > 0 ? [make("p", `and ${many(bars.more, "smaller one")}`, {class: "quiet"})] : [])];
}

const drawing = (one, words) => one.bars ? nested(one) : heat(one, words);

function drawings(output) {
  const words = output.subject === undefined ? output.output : `${output.output}, ${output.subject}`;
  const box = make("div", undefined, {class: "drawings"});
  const all = output.drawings;
  const shown = make("div");
  const show = () => {
    const one = all.find(({title}) => title === chosen.get(output.output)) ?? all[0];
    shown.replaceChildren(...drawing(one, words));
    box.classList.toggle("much", one.across !== undefined && (one.across.values.length > MANY || lettersOf(one) > NUMBERS));
    return one.title;
  };
  if (all.length > 1) {
    const choice = make("select", all.map(({title}) => make("option", title, {value: title})), {"aria-label": `Table of ${words}`});
    choice.dataset.output = output.output;
    choice.redraw = () => { choice.value = show(); };
    choice.addEventListener("change", () => {
      chosen.set(output.output, choice.value);
      for (const other of document.querySelectorAll(".drawings select")) {
        if (other.dataset.output === output.output) other.redraw();
      }
    });
    choice.redraw();
    box.append(choice);
  } else {
    show();
  }
  box.append(shown);
  return box;
}
