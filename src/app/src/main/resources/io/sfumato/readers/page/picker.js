"use strict";
// Which lines are shown: a list to search, with a box to check for each.

const LISTED = 200; // rows of the list at once
const MOST = 60; // lines at once; the server gives at most 64

const folded = text => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");

class Picker {
  constructor(changed) {
    this.changed = changed;
    this.lines = [];
    this.chosen = new Set();
    byId("search").addEventListener("input", () => this.list());
    byId("largest").addEventListener("click", () => this.choose(this.lines.slice(0, this.usual())));
    byId("all").addEventListener("click", () => this.choose(this.found().slice(0, MOST)));
    byId("none").addEventListener("click", () => this.choose([]));
    byId("groups").addEventListener("change", event => {
      const line = Number(event.target.value);
      if (event.target.checked) this.chosen.add(line);
      else this.chosen.delete(line);
      this.limit();
      this.count();
      this.changed(true);
    });
  }

  usual() {
    return matchMedia("(max-width: 40rem)").matches ? 6 : 12;
  }

  // The lines of an output; those that were chosen stay so.
  show({lines, fields, more}, share, wanted) {
    const subjects = new Set(lines.map(line => line[2]));
    const mixed = fields.length > 1;
    this.more = more;
    this.share = share;
    this.lines = lines.map(([id, newest, subject, kind, ...values]) => {
      const group = values.length === 0 ? [] : [mixed ? values.map((value, i) => `${fields[kind][i]} ${value}`).join(", ") : values.join(" / ")];
      const parts = subjects.size > 1 || values.length === 0 ? [subject, ...group] : group;
      const label = mixed && subjects.size > 1 && values.length === 0 ? `${subject} / all` : parts.join(" / ");
      return {id, newest, label, key: JSON.stringify([subject, ...values]), folded: folded(label)};
    });
    const there = new Set(this.lines.map(line => line.id));
    this.chosen = new Set([...this.chosen].filter(id => there.has(id)));
    if (wanted) this.chosen = new Set(this.lines.filter(line => wanted.includes(line.key)).map(line => line.id));
    if (this.chosen.size === 0 && !this.emptied) this.lines.slice(0, this.usual()).forEach(line => this.chosen.add(line.id));
    // One line needs no choice.
    byId("picker").hidden = this.lines.length < 2;
    this.list();
  }

  forget() {
    this.chosen.clear();
    this.emptied = false;
    byId("search").value = "";
  }

  found() {
    const words = folded(byId("search").value).split(/\s+/).filter(Boolean);
    return this.lines.filter(line => words.every(word => line.folded.includes(word)));
  }

  choose(lines) {
    this.chosen = new Set(lines.map(line => line.id));
    this.emptied = lines.length === 0;
    this.list();
    this.changed(true);
  }

  // In the order of the list.
  selection() {
    return this.lines.filter(line => this.chosen.has(line.id));
  }

  limit() {
    while (this.chosen.size > MOST) this.chosen.delete(this.chosen.values().next().value);
    this.emptied = this.chosen.size === 0;
  }

  list() {
    const found = this.found();
    byId("groups").replaceChildren(...found.slice(0, LISTED).map(line => {
      const box = make("input", undefined, {type: "checkbox", value: line.id});
      box.checked = this.chosen.has(line.id);
      return make("li", [make("label", [box, make("bdi", line.label), make("span", line.newest === null ? "" : format(line.newest, Math.abs(line.newest) / 5, this.share))])]);
    }));
    const unseen = found.length - Math.min(found.length, LISTED);
    byId("more").textContent = found.length === 0 ? "No group has such a name: shorten the search."
      : unseen > 0 ? `${count(unseen, "more group")}: search to find them.`
      : this.more > 0 ? `${count(this.more, "smaller group")} not listed here: use sfumato consume.` : "";
    this.count();
  }

  count() {
    byId("chosen").textContent = `(${this.chosen.size} of ${this.lines.length.toLocaleString("en")} shown${this.chosen.size === MOST ? ", the most at once" : ""})`;
    byId("largest").textContent = `Largest ${Math.min(this.usual(), this.lines.length)}`;
  }
}
