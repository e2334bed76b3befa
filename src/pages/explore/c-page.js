// The page: which view shows what, and what the reader's hands change.
const views = { flow, shift, epsilon, predict, plane: plane2, steps, batch, depth };
const presets = { "Chapter: 3, 4": [3, 4], "Exhibit: eight": [1, 2, 3, 4, -1, -2, -3, -4], "Book: 1 to 4": [1, 2, 3, 4] };
const recent = new Map();
let writing = 0;
let speaking = 0;
let resting = 0;
const stale = new Set(); // views that do not show the state yet

// The answers of a view; a request that stays, or that another view has made, is not computed again.
function answersOf(view) {
  const answers = commands[view](state).map((request) => recent.get(request) ?? { request, ...run(request) });
  for (const answer of answers) {
    recent.delete(answer.request);
    recent.set(answer.request, answer);
  }
  // Those of all views, twice over.
  for (const request of recent.keys()) if (recent.size > 32) recent.delete(request);
  return answers;
}

// Draws the named views; what is no view of them waits in `stale`.
function update(origin, names = Object.keys(views)) {
  for (const name of names) {
    stale.delete(name);
    const view = views[name];
    const place = byId(name);
    const before = [...place.querySelectorAll(".n")].map((n) => n.textContent);
    view.update(answersOf(name));
    place.querySelector(".tools code").textContent = `rmsnorm-fixture ${commands[name](state)[0]}`;
    const after = [...place.querySelectorAll(".n")];
    if (before.length !== after.length) continue;
    after.forEach((n, i) => n.classList.toggle("new", n.textContent !== before[i]));
  }
  for (const made of document.querySelectorAll("[data-key]")) {
    const value = valueOf(made);
    if (made !== origin && made.valueAsNumber !== value) made.value = value;
  }
  clearTimeout(writing);
  writing = setTimeout(() => history.replaceState(null, "", `#${hashOf(state)}`), 150);
}

function say(words) {
  clearTimeout(speaking);
  speaking = setTimeout(() => (byId("said").textContent = words), 400);
}

function build() {
  byId("wider").disabled = state.x.length === widest;
  byId("narrower").disabled = state.x.length === narrowest;
  const focused = document.activeElement?.id;
  for (const view of Object.values(views)) view.build();
  if (focused && byId(focused) !== document.activeElement) byId(focused)?.focus({ preventScroll: true });
}

function inSight(name) {
  const { top, bottom } = byId(name).getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

function change(part, origin, view = origin?.closest(".view")?.id) {
  state = fitted({ ...state, ...part });
  // Under the hand what is in sight; the rest when the hand rests.
  for (const name of Object.keys(views)) stale.add(name);
  update(origin, [...stale].filter(inSight));
  clearTimeout(resting);
  resting = setTimeout(() => update(origin, [...stale]), 100);
  if (view) say(views[view].words);
}

// A scale becomes another one when the hand lets go, not under it.
function rescale() {
  const changed = [flow, batch].filter((view) => view.scale() !== view.unit);
  for (const view of changed) view.unit = rescaled(view === flow ? "flow" : "batch", view.scale());
  if (changed.length) update();
}

// A change that may be one of the width: controls for as many features as there are.
function settle(part = {}) {
  state = fitted({ ...state, ...part });
  build();
  update();
  rescale();
  const view = document.activeElement?.closest(".view")?.id;
  if (view) say(views[view].words);
}

function take(hash) {
  state = stateOf(hash);
  settle();
}

function tools(name) {
  const code = element("code", {});
  const copy = async () => {
    await navigator.clipboard?.writeText(code.textContent).catch(() => null);
    getSelection().selectAllChildren(code);
    say("Command copied");
  };
  const save = () => {
    const { text, refusal: refused, request } = answersOf(name)[0];
    const bytes = new Blob([text ?? JSON.stringify({ request, refusal: refused }) + "\n"], { type: "application/json" });
    const link = element("a", { href: URL.createObjectURL(bytes), download: `${name}.json` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  byId(name).append(element("p", { class: "tools" }, code, button("Copy as command", copy), button("Download JSON", save)));
}

function listen() {
  byId("live").addEventListener("input", ({ target }) => {
    const { key, at, stops } = target.dataset;
    if (!key || target.value === "" || !Number.isFinite(target.valueAsNumber)) return;
    const value = stops ? Number(stops.split(",")[target.valueAsNumber]) : target.valueAsNumber;
    if (key === "d" && !whole(value, 1, deepest)) return;
    change({ [key]: at === undefined ? value : state[key].with(Number(at), value) }, target);
  });
  byId("live").addEventListener("change", ({ target }) => { if (target.dataset.key) rescale(); });
  for (const [id, by] of [["wider", 1], ["narrower", -1]]) {
    byId(id).addEventListener("click", () => settle({ x: fit(state.x, state.x.length + by, 1) }));
  }
  byId("reset").addEventListener("click", () => take(""));
  addEventListener("hashchange", () => { if (location.hash.slice(1) !== hashOf(state)) take(location.hash); });
}

async function begin() {
  const why = await fault();
  const verified = byId("verified");
  if (why) {
    verified.textContent = `This explorer does not run here: ${why}.`;
    verified.classList.add("refused");
    return;
  }
  verified.textContent = "✓ Recomputed here: the chapter’s evidence, every bit of it.";
  verified.classList.add("good");
  byId("still").remove();
  byId("live").hidden = false;
  byId("presets").append(...Object.entries(presets).map(([words, x]) => button(words, () => settle({ x: [...x] }))));
  for (const name of Object.keys(views)) tools(name);
  listen();
  take(location.hash);
}

begin();
