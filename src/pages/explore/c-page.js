// The page: which view shows what, and what the reader's hands change.
const views = { flow, shift, epsilon, predict, plane: plane2, steps, batch, depth };
const presets = { "Chapter: 3, 4": [3, 4], "Exhibit: eight": [1, 2, 3, 4, -1, -2, -3, -4], "Book: 1 to 4": [1, 2, 3, 4] };
const recent = new Map();
let address = ""; // as the page last read or wrote it
let writing = 0;
let speaking = 0;
let resting = 0;
const built = new Set(); // views whose controls are those of as many features as there are
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
    const view = views[name];
    if (!built.has(name)) view.build();
    built.add(name);
    stale.delete(name);
    view.update(answersOf(name));
    const place = byId(name);
    renew(place.querySelector(".tools code"), `rmsnorm-fixture ${commands[name](state)[0]}`);
    for (const made of place.querySelectorAll("[data-key]")) {
      const value = valueOf(made);
      if (made !== origin && made.valueAsNumber !== value) made.value = value;
    }
  }
  clearTimeout(writing);
  writing = setTimeout(write, 150);
}

// What somebody else has put into the address since then is not overwritten: `hashchange` brings it.
function write() {
  if (location.hash !== address) return;
  history.replaceState(null, "", `#${hashOf(state)}`);
  address = location.hash;
}

// Draws what is stale, a view at a time, so that a hand does not wait for all of them.
function rest(origin) {
  const [name] = stale;
  byId("live").ariaBusy = name !== undefined;
  if (!name) return;
  update(origin, [name]);
  resting = setTimeout(rest, 0, origin);
}

function say(words) {
  clearTimeout(speaking);
  speaking = setTimeout(() => (byId("said").textContent = words), 400);
}

function inSight(name) {
  const { top, bottom } = byId(name).getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

// Draws at once what is named, and the rest after a while.
function changed(origin, names, delay) {
  for (const name of Object.keys(views)) stale.add(name);
  byId("live").ariaBusy = true;
  update(origin, names);
  clearTimeout(resting);
  resting = setTimeout(rest, delay, origin);
}

// Under the hand what is in sight; the rest when the hand rests.
function change(part, origin, view = origin?.closest(".view")?.id) {
  state = fitted({ ...state, ...part });
  changed(origin, Object.keys(views).filter(inSight), 100);
  if (view) say(views[view].words);
}

// A scale becomes another one when the hand lets go, not under it.
function rescale() {
  const others = ["flow", "batch"].filter((name) => built.has(name) && views[name].scale() !== views[name].unit);
  for (const name of others) views[name].unit = rescaled(name, views[name].scale());
  if (others.length) update(null, others);
}

// A change that may be one of the width: controls for as many features as there are.
function settle(part = {}, names = Object.keys(views)) {
  state = fitted({ ...state, ...part });
  byId("wider").disabled = state.x.length === widest;
  byId("narrower").disabled = state.x.length === narrowest;
  const focused = document.activeElement?.id;
  built.clear();
  changed(null, names, 0);
  if (focused && byId(focused) !== document.activeElement) byId(focused)?.focus({ preventScroll: true });
  rescale();
  const view = document.activeElement?.closest(".view")?.id;
  if (view) say(views[view].words);
}

function take(hash, names) {
  state = stateOf(hash);
  settle({}, names);
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
  addEventListener("beforeprint", () => update(null, [...stale]));
  addEventListener("hashchange", () => {
    address = location.hash;
    if (address.slice(1) !== hashOf(state)) take(address);
  });
}

async function begin() {
  const why = await fault();
  const verified = byId("verified");
  if (why) {
    verified.textContent = `This explorer does not run here: ${why}.`;
    verified.classList.add("refused");
    document.documentElement.classList.remove("scripted");
    return;
  }
  verified.textContent = "✓ Recomputed here: the chapter’s evidence, every bit of it.";
  verified.classList.add("good");
  byId("still").remove();
  byId("live").hidden = false;
  byId("presets").append(...Object.entries(presets).map(([words, x]) => button(words, () => settle({ x: [...x] }))));
  for (const name of Object.keys(views)) tools(name);
  listen();
  // The first screen; the rest once that is painted.
  address = location.hash;
  take(address, ["flow", "shift", "epsilon"]);
}

begin();
