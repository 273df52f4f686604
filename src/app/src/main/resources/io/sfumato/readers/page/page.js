"use strict";
// Asks for what has changed every few seconds, and draws what is chosen.

const EVERY = 5000; // milliseconds between two questions
const ROWS = 100; // of a page of the table
const PATIENCE = 20000; // milliseconds for one answer
const TOKEN_REFUSED = 401;

const wanted = new URLSearchParams(location.hash.slice(1));
const state = {page: 0, before: null};
const picker = new Picker(() => load());
let charts;

const output = () => state.overview.outputs.find(({name}) => name === byId("output").value);
const measure = () => output()?.measures[byId("measure").value];
const view = () => document.querySelector("[name=view]:checked").value;

// Without the name and password that the page's address may have: no request may name these.
const address = (path, parameters = {}) => `${location.origin}${location.pathname}${path}?${new URLSearchParams(parameters)}`;

// The header keeps the browser from asking for a password when the token is refused: the page says it.
async function ask(path, parameters) {
  const answer = await fetch(address(path, parameters), {headers: {"X-Requested-With": "XMLHttpRequest"}, signal: AbortSignal.timeout(PATIENCE)});
  if (!answer.ok) throw Object.assign(new Error(path), {status: answer.status});
  return answer.json();
}

const choice = () => {
  const of = {output: output().name, measure: byId("measure").value, windows: byId("windows").value};
  if (state.before !== null) of.before = state.before;
  return of;
};

function options(select, values, chosen) {
  const now = chosen ?? select.value;
  select.replaceChildren(...values.map(([value, words]) => make("option", words, {value})));
  if (values.some(([value]) => String(value) === String(now))) select.value = now;
}

// From public facts of the pipeline file alone.
function earliest(of) {
  const {first_window: first, zone} = state.overview;
  if (first === undefined || of.derived) return "A window is released after it ends.";
  return `The first window is from ${first.start} to ${first.end} (${zone}). Its release is due when the pipeline's event time passes ${first.closes}.`;
}

// What the server waits for, if anything.
function silent() {
  return {unreachable: "Kafka", no_schemas: "The schema registry"}[state.overview.state];
}

// What is said where there is no number yet, with what to do.
function nothing(of) {
  if (of === undefined) return "This pipeline has no output that is a statistic over time. Read its answers with: sfumato consume TOPIC";
  if (silent()) return `${silent()} does not answer, so nothing has been read yet. The page tries again by itself.`;
  if (state.overview.state === "reading") return `Reading topic ${of.topic} from its beginning.`;
  if (of.missing) return `Topic ${of.topic} does not exist yet: the pipeline creates it at its first start (sfumato run FILE). This page then shows its releases by itself.`;
  if (of.windows > 0) return `Output ${of.name} has no numbers to draw. Read it with: sfumato consume ${of.topic}`;
  return `Nothing has been released yet to topic ${of.topic}. ${earliest(of)} This page then shows it by itself. If it stays empty, ask the operators of the pipeline.`;
}

function heading() {
  const {pipeline, state: reading, foreign} = state.overview;
  document.title = `${pipeline} – releases`;
  byId("name").textContent = pipeline;
  byId("state").textContent = {reading: "reading releases", current: "up to date"}[reading] ?? `${silent()} does not answer`;
  const {promise, neighbours, left_out: leftOut, dropped_through: dropped, left} = output() ?? {};
  byId("promises").hidden = promise === undefined;
  byId("promise").textContent = promise ?? "";
  byId("neighbours").textContent = neighbours ?? "";
  byId("together").textContent = state.overview.together;
  byId("bias").textContent = leftOut === undefined ? "" : `It does not include what contribution limits drop: ${leftOut.toLocaleString("en", {style: "percent", maximumFractionDigits: 1})} of the records in the file's example.`;
  byId("dropped").textContent = [
    dropped === undefined ? "" : `Windows up to ${dropped} are not kept here, for lack of memory.`,
    left > 0 ? `${count(left, "number")} of very large releases are not kept here.` : "",
    foreign > 0 ? `${count(foreign, "record")} of these topics could not be read, or are of another pipeline.` : ""].filter(Boolean).join(" ");
}

function lists() {
  const of = state.overview.outputs;
  options(byId("output"), of.map(({name, windows}) => [name, windows === 0 ? `${name} (no release yet)` : name]),
    state.started ? undefined : wanted.get("output") ?? of.find(({windows}) => windows > 0)?.name);
  const measures = output()?.measures ?? [];
  const first = state.started ? -1 : measures.findIndex(({words}) => words === wanted.get("measure"));
  options(byId("measure"), measures.map(({words}, i) => [i, words]), first < 0 ? undefined : first);
  byId("measures").hidden = measures.length < 2;
}

// Only the newest question's answer is drawn.
async function latest(asked, answered) {
  const turn = state.turn = (state.turn ?? 0) + 1;
  busy(true);
  let answer;
  try {
    answer = await asked();
  } catch (problem) {
    if (turn === state.turn) {
      state.drawn = false; // the next answer draws what is chosen now
      failed(problem);
    }
    return;
  }
  if (turn !== state.turn) return;
  // A server that was restarted numbers lines anew: the next overview says so, and all is asked again.
  if (answer.run !== state.overview.run) {
    state.drawn = false;
    return;
  }
  await answered(answer);
  if (turn === state.turn) busy(false);
}

function busy(is) {
  for (const id of ["columns", "numbers"]) byId(id).setAttribute("aria-busy", is);
}

const PROBLEMS = {
  [TOKEN_REFUSED]: "The server refuses the access token. It may have been changed, or the sign-in was cancelled. Reload the page, then sign in with any name and the token as the password.",
  503: "The server is busy.",
};

function failed({status}) {
  const problem = PROBLEMS[status] ?? (status === undefined
    ? "The server does not answer. It may have been stopped, or the network is down."
    : `The server answered with error ${status}.`);
  // A refused token would make the browser ask for a password every few seconds.
  state.refused = status === TOKEN_REFUSED;
  byId("loading").hidden = true;
  byId("state").textContent = "no connection";
  warn(`${problem} ${since()}${state.refused ? "" : ` The page tries again every ${EVERY / 1000} seconds.`}`, true);
}

const since = () => state.heard
  ? `Charts and numbers below are as of ${state.heard.toLocaleTimeString()} and may be out of date.`
  : "Nothing has been loaded yet.";

function warn(problem, again) {
  document.body.classList.toggle("old", problem !== "");
  byId("alert").hidden = problem === "";
  byId("retry").hidden = !again;
  // An unchanged text is not announced a second time.
  if (byId("problem").textContent !== problem) byId("problem").textContent = problem;
}

function reached() {
  state.refused = false;
  byId("loading").hidden = true;
  if (silent()) {
    warn(`${silent()} does not answer. ${state.current ? since() : "No release has been read yet."}`, false);
    return;
  }
  if (state.overview.state === "current") state.current = true;
  state.heard = new Date();
  warn("", false);
}

async function refresh() {
  let overview;
  try {
    overview = await ask("overview.json");
  } catch (problem) {
    failed(problem);
    return;
  }
  const before = state.overview;
  state.overview = overview;
  reached();
  const changed = before === undefined || overview.run !== before.run || overview.changes !== before.changes;
  charts ??= new Charts(byId("grid"), byId("legend"), overview.zone);
  lists();
  heading();
  if (changed || !state.drawn) {
    await renew();
    announce(before);
  } else if (!output()?.measures.length) {
    empty();
  }
}

// For screen readers: that there is a new window.
function announce(before) {
  const last = output()?.last;
  const earlier = before?.outputs.find(({name}) => name === output()?.name)?.last;
  if (before !== undefined && last !== undefined && last !== earlier) byId("news").textContent = `New release of ${output().name}: window ${last}.`;
}

function empty() {
  const none = !output()?.measures.length;
  byId("empty").hidden = !none;
  byId("empty").textContent = none ? nothing(output()) : "";
  byId("controls").hidden = state.overview.outputs.length < 2 && none;
  for (const id of ["columns", "numbers"]) byId(id).hidden = none;
  return none;
}

// The lines of the output that is chosen, and their numbers.
async function renew() {
  heading();
  if (empty()) return;
  await latest(() => ask("lines.json", choice()), lines => {
    const keys = state.started ? [] : wanted.getAll("group");
    picker.show(lines, measure().share, output().windows, keys.length > 0 ? keys : undefined);
    if (!state.started && wanted.get("view") === "lines") document.querySelector("[value=lines]").checked = true;
    if (!state.started && [...byId("windows").options].some(({value}) => value === wanted.get("windows"))) byId("windows").value = wanted.get("windows");
    state.started = true;
    return load();
  });
}

async function load() {
  const lines = picker.selection();
  const ids = lines.map(({id}) => id).join(",");
  remember(lines);
  await latest(() => ask("points.json", {...choice(), lines: ids}), points => {
    const labels = new Map(lines.map(({id, label}) => [id, label]));
    state.points = {...points, names: shorter(points.names), courses: points.lines.map(course => ({...course, label: labels.get(course.line)}))};
    byId("older").disabled = !points.older;
    byId("newer").disabled = !points.newer;
    state.shown = `${measure().words}, ${picker.words() ? `${count(lines.length, "group")}, ` : ""}${count(points.starts.length, "window")}`;
    fill(byId("download"), `Download CSV: ${state.shown}`, {href: address("rows.csv", {...choice(), lines: ids}), download: `${output().name}.csv`});
    byId("export").textContent = `sfumato export ${output().topic} --to ${output().name}.csv`;
    state.drawn = true;
    draw();
  });
}

// Of whole days the time says nothing.
const shorter = names => names.every(name => / 00:00([+-]\d\d:\d\d)?$/.test(name)) ? names.map(name => name.slice(0, 10)) : names;

function draw() {
  const {starts, names, courses} = state.points;
  const {words, share} = measure();
  const together = view() === "lines" && courses.length <= KEYS && courses.length > 1;
  const what = `${output().name}: ${words}`;
  const {zone} = state.overview;
  const whole = isWhole(courses);
  byId("h-charts").textContent = what;
  byId("range").textContent = courses.length === 0 ? "No group is chosen: check one in the list of groups."
    : [`${count(starts.length, "window")} from ${names[0]} to ${names.at(-1)} (${zone}).`, picker.words(), "Shaded: the 95% interval.",
      view() === "lines" && courses.length > KEYS ? `One chart shows at most ${KEYS} groups: choose fewer.` : ""].filter(Boolean).join(" ");
  byId("hint").hidden = courses.length === 0;
  byId("views").hidden = picker.lines.length < 2;
  byId("scale").hidden = together || courses.length < 2;
  charts.show({starts, names, courses, share, whole, together, same: byId("same").checked, what, words, zone});
  state.page = 0;
  table();
}

function table() {
  const {names, courses} = state.points;
  const all = names.length * courses.length;
  const last = Math.max(0, Math.ceil(all / ROWS) - 1);
  state.page = Math.max(0, Math.min(last, state.page));
  const from = state.page * ROWS, to = Math.min(all, from + ROWS);
  const rows = [];
  for (let i = from; i < to; i++) {
    // The newest window first.
    const window = names.length - 1 - Math.floor(i / courses.length), course = courses[i % courses.length];
    const {value, interval, note} = said(course, window, {share: measure().share, whole: isWhole(courses)});
    // On narrow screens rows are blocks, which are a table for readers only if they say so.
    rows.push(make("tr", [make("th", names[window], {scope: "row", role: "rowheader"}), make("td", [make("bdi", course.label)], {role: "cell"}),
      make("td", value, {class: "n", role: "cell"}), make("td", interval, {class: "n", role: "cell"}), make("td", note, {role: "cell"})], {role: "row"}));
  }
  byId("numbers").hidden = all === 0;
  byId("table").tBodies[0].replaceChildren(...rows);
  byId("caption").textContent = `${byId("h-charts").textContent}, the newest window first`;
  byId("held").textContent = [`${output().name}, ${state.shown}.`, picker.words()].filter(Boolean).join(" ");
  byId("th-window").textContent = `Window start (${state.overview.zone})`;
  byId("th-value").textContent = measure().words;
  byId("page").textContent = all === 0 ? "" : `rows ${(from + 1).toLocaleString("en")} to ${to.toLocaleString("en")} of ${all.toLocaleString("en")}`;
  byId("table-newer").disabled = state.page === 0;
  byId("table-older").disabled = state.page === last;
}

// The address names what is shown, so that it can be sent to others.
function remember(lines) {
  const hash = new URLSearchParams({output: output().name, measure: measure().words, view: view(), windows: byId("windows").value});
  if (picker.picked && lines.length <= 12) for (const {key} of lines) hash.append("group", key);
  history.replaceState(null, "", `#${hash}`);
}

byId("output").addEventListener("change", () => {
  state.before = null;
  picker.forget();
  lists();
  byId("measure").value = 0;
  renew();
});
byId("measure").addEventListener("change", renew);
byId("windows").addEventListener("change", () => { state.before = null; load(); });
byId("older").addEventListener("click", () => { state.before = state.points.starts[0]; load(); });
byId("newer").addEventListener("click", () => { state.before = null; load(); });
byId("same").addEventListener("change", draw);
byId("views").addEventListener("change", draw);
byId("table-newer").addEventListener("click", () => { state.page--; table(); });
byId("table-older").addEventListener("click", () => { state.page++; table(); });
byId("controls").addEventListener("submit", event => event.preventDefault());
// A list beside the charts is always open; above them it is closed until somebody wants it.
byId("picker").open = matchMedia("(min-width: 60rem)").matches;
matchMedia("(min-width: 60rem)").addEventListener("change", event => { byId("picker").open = event.matches; });

// The address after # says what is shown, so links within the page leave it alone.
for (const link of document.querySelectorAll("a[href^='#']")) {
  link.addEventListener("click", event => {
    event.preventDefault();
    const target = byId(link.getAttribute("href").slice(1));
    target.focus();
    target.scrollIntoView();
  });
}
byId("retry").addEventListener("click", refresh);

const unasked = () => { if (!document.hidden && !state.refused) refresh(); };
refresh();
setInterval(unasked, EVERY);
document.addEventListener("visibilitychange", unasked);
