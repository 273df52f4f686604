"use strict";
// Which lines are shown: a list to search, with a box to check for each. Lines are remembered by
// their names, since the server numbers them anew after a restart.

const LISTED = 200; // rows of the list at once
const MOST = 60; // lines at once; the server gives at most 64
const FIRST = 12; // lines that are shown before anybody chooses

const folded = text => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");

class Picker {
  constructor(changed) {
    this.changed = changed;
    this.lines = [];
    this.chosen = new Set();
    byId("search").addEventListener("input", () => this.list());
    byId("largest").addEventListener("click", () => this.reset());
    byId("all").addEventListener("click", () => this.choose(this.found().slice(0, MOST)));
    byId("none").addEventListener("click", () => this.choose([]));
    byId("groups").addEventListener("change", event => {
      const {key} = this.lines[event.target.value];
      if (event.target.checked) this.chosen.add(key);
      else this.chosen.delete(key);
      this.picked = true;
      this.limit();
      this.list();
      this.changed();
    });
  }

  // The lines of an output, which has so many windows; those that were chosen stay so.
  show({lines, fields, more}, share, windows, wanted) {
    const subjects = new Set(lines.map(line => line[3]));
    const mixed = fields.length > 1;
    this.more = more;
    this.share = share;
    this.windows = windows;
    this.lines = lines.map(([id, average, windows, subject, kind, ...values], place) => {
      const group = values.length === 0 ? [] : [mixed ? values.map((value, i) => `${fields[kind][i]} ${value}`).join(", ") : values.join(" / ")];
      const parts = subjects.size > 1 || values.length === 0 ? [subject, ...group] : group;
      const label = mixed && subjects.size > 1 && values.length === 0 ? `${subject} / all` : parts.join(" / ");
      return {id, place, average, windows, label, key: JSON.stringify([subject, ...(mixed ? values.map((value, i) => `${fields[kind][i]}=${value}`) : values)]), folded: folded(label)};
    });
    if (wanted) {
      this.chosen = new Set(wanted.slice(0, MOST));
      this.picked = true;
    }
    const gone = this.picked && this.chosen.size > 0 && this.selection().length === 0;
    if (!this.picked || gone) this.first();
    // One line needs no choice.
    byId("picker").hidden = this.lines.length < 2;
    byId("columns").classList.toggle("alone", this.lines.length < 2);
    this.list();
  }

  // Those that the list begins with: always the same ones, until somebody chooses others.
  first() {
    this.picked = false;
    this.chosen = new Set(this.lines.slice(0, FIRST).map(line => line.key));
  }

  reset() {
    this.first();
    this.list();
    this.changed();
  }

  forget() {
    this.chosen.clear();
    this.picked = false;
    byId("search").value = "";
  }

  total() {
    return this.lines.length + this.more;
  }

  // Which lines are shown, and why these.
  words() {
    const shown = this.selection().length, all = this.total();
    if (all < 2) return "";
    if (shown === all) return `All ${all.toLocaleString("en")} groups.`;
    return `${shown.toLocaleString("en")} of ${count(all, "group")}: ${this.picked ? "those that you chose" : "those with the largest average"}.`;
  }

  found() {
    const words = folded(byId("search").value).split(/\s+/).filter(Boolean);
    return this.lines.filter(line => words.every(word => line.folded.includes(word)));
  }

  choose(lines) {
    this.chosen = new Set(lines.map(line => line.key));
    this.picked = true;
    this.list();
    this.changed();
  }

  // In the order of the list.
  selection() {
    return this.lines.filter(line => this.chosen.has(line.key));
  }

  limit() {
    while (this.chosen.size > MOST) this.chosen.delete(this.chosen.values().next().value);
  }

  // Few windows have more noise in their average than many: it says of how many it is.
  average({average, windows}) {
    if (average === null) return "";
    const value = format(average, Math.abs(average) / 5, {share: this.share, whole: Math.abs(average) >= 10});
    return windows < this.windows ? `${value} (${windows.toLocaleString("en")} of ${count(this.windows, "window")})` : value;
  }

  list() {
    const found = this.found();
    const focused = document.activeElement.closest?.("#groups li")?.dataset.key;
    byId("groups").replaceChildren(...found.slice(0, LISTED).map(line => {
      const box = make("input", undefined, {type: "checkbox", value: line.place});
      box.checked = this.chosen.has(line.key);
      return make("li", [make("label", [box, make("bdi", line.label), make("span", this.average(line))])], {"data-key": line.key});
    }));
    // New releases must not take the focus away.
    if (focused !== undefined) [...byId("groups").children].find(item => item.dataset.key === focused)?.querySelector("input").focus();
    const unseen = found.length - Math.min(found.length, LISTED);
    byId("more").textContent = found.length === 0 ? "No group has such a name: shorten the search."
      : unseen > 0 ? `${count(unseen, "more group")}: search to find them.`
      : this.more > 0 ? `${count(this.more, "smaller group")} not listed here: use sfumato consume.` : "";
    this.count();
  }

  count() {
    byId("chosen").textContent = `(${this.selection().length} of ${this.total().toLocaleString("en")} shown${this.chosen.size === MOST ? ", the most at once" : ""})`;
    byId("largest").textContent = `Largest ${Math.min(FIRST, this.lines.length)}`;
  }
}
