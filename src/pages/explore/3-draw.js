// Drawing: elements, numbers, and bars on one scale. Nothing here computes a figure.
const svgSpace = "http://www.w3.org/2000/svg";

function element(name, attributes = {}, ...inside) {
  const made = document.createElement(name);
  return dressed(made, attributes, inside);
}

function svg(name, attributes = {}, ...inside) {
  return dressed(document.createElementNS(svgSpace, name), attributes, inside);
}

function dressed(made, attributes, inside) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== false && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...inside.filter((one) => one !== null && one !== undefined));
  return made;
}

// A drawing with its words.
function drawing(width, height, title, description, ...inside) {
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", class: "drawn" },
    svg("title", {}, title), svg("desc", {}, description), ...inside);
}

const signed = (text) => text.replace(/^-/, "−");

// 10⁻⁵ and 3.16×10⁻⁵ for what a formula or an axis quotes.
function powered(value) {
  if (value === 0) return "0";
  const [digits, exponent] = value.toExponential().split("e");
  if (Math.abs(exponent) < 4) return signed(String(value));
  const raised = String(Number(exponent)).replace(/[-\d]/g, (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]);
  return `${digits === "1" ? "" : digits === "-1" ? "−" : signed(digits) + "×"}10${raised}`;
}

// A figure of the core: its digits, or three that count where those would all be zeros; its bits
// are one hover away.
function figure(of, index = 0) {
  const [value, display, bits] = of.shape ? [of.values[index], of.display[index], of.bits[index]]
    : [of.value, of.display, of.bits];
  const lost = Number(display) === 0 && value !== 0;
  return element("span", { class: "n", title: `bits ${bits}` },
    lost ? powered(Number(value.toPrecision(3))) : signed(display));
}

function put(one, name, value) {
  if (one.getAttribute(name) !== value) one.setAttribute(name, value);
}

// `place` gets these children. What is there already stays as it is, so that only what differs is laid
// out again; a figure that differs flashes, by two names in turn, since an animation begins with its name.
function renew(place, ...made) {
  const there = [...place.childNodes];
  const wanted = made.filter((one) => one !== null && one !== undefined)
    .map((one) => (one.nodeType ? one : document.createTextNode(one)));
  wanted.forEach((one, i) => {
    const was = there[i];
    if (was?.nodeName !== one.nodeName) return was ? was.replaceWith(one) : place.append(one);
    if (one.nodeType === Node.TEXT_NODE) return was.data === one.data || (was.data = one.data);
    if (one.className === "n" && was.textContent !== one.textContent) {
      one.className = was.classList.contains("new") ? "n again" : "n new";
    }
    for (const { name, value } of one.attributes) put(was, name, value);
    if (was.attributes.length > one.attributes.length) {
      for (const { name } of [...was.attributes]) if (!one.hasAttribute(name)) was.removeAttribute(name);
    }
    renew(was, ...one.childNodes);
  });
  for (const one of there.slice(wanted.length)) one.remove();
}

// 1, 2 or 5 times a power of ten: the least that holds all of the values.
function roundUp(values) {
  const most = Math.max(...values.map(Math.abs).filter(Number.isFinite), 1e-300);
  const power = 10 ** Math.floor(Math.log10(most));
  return Number(([1, 2, 5, 10].find((m) => m * power >= most * 0.999999) * power).toPrecision(1));
}

const tall = 150; // of a chart, in CSS pixels
const inset = 12; // half of a range's thumb: what is left of it above and below the scale
const column = 26;

const yOf = (value, unit, high = tall) =>
  high / 2 - (Math.max(-1.06, Math.min(1.06, value / unit)) * (high - 2 * inset)) / 2;

const box = (x, y, width, height) => `M${x} ${y.toFixed(2)}h${width}v${height.toFixed(2)}h${-width}z`;

// A box from zero to `end`.
const upright = (x, width, end, high) =>
  box(x, Math.min(high / 2, end), width, Math.max(Math.abs(end - high / 2), 0.5));

// One bar from zero; cut with a notch where it leaves the scale.
function bar(value, unit, x, width, kind, high = tall) {
  const parts = [[`col ${kind}`, upright(x, width, yOf(value, unit, high), high)]];
  if (Math.abs(value) > unit * 1.0001) {
    const y = value > 0 ? inset + 8 : high - inset - 8;
    parts.push(["notch", `M${x - 2} ${y + 3}l${width + 4} -6`]);
  }
  return parts;
}

// A square whose side is the root of the value: areas beside lengths, on one scale.
function square(value, unit, x, width) {
  const side = Math.max(Math.min((Math.sqrt(value) / unit) * (tall / 2 - inset), tall / 2), 0.5);
  return [["area", box(x + width / 2 - side / 2, tall / 2 - side, side, side)]];
}

// Columns as paths, one a kind however many columns there are: `draw` gives kinds and what they draw.
function columns(values, draw, step = column) {
  const paths = {};
  values.forEach((value, i) => {
    for (const [kind, d] of draw(value, 8 + i * step, step - 8, i)) paths[kind] = (paths[kind] ?? "") + d;
  });
  return { width: values.length * step + 8, paths };
}

// Bars of a tensor of the core, and ghosts of another one.
const bars = (tensor, unit, kind, ghosts, high = tall) => columns(tensor.values, (value, x, width, i) => [
  ...(ghosts ? [["ghost", upright(x - 2, width + 4, yOf(ghosts.values[i], unit, high), high)]] : []),
  ...bar(value, unit, x, width, kind, high)]);

// A chart, whose `draw` shows columns on a scale; ranges lie over them in `stack`.
function chart(name, title, { ends = false, high = tall, id } = {}) {
  const [described, zero, shown] = [svg("desc"), svg("path", { class: "zero" }), {}];
  const picture = svg("svg", { role: "img", height: high }, svg("title", {}, title), described, zero);
  const scale = ends && element("span", { class: "ends", style: `height:${high}px`, "aria-hidden": "true" });
  const stack = element("div", { class: "stack" }, picture);
  const caption = element("figcaption");
  caption.innerHTML = name;
  const figure = element("figure", { class: "chart", id },
    element("div", { class: "plotted" }, scale || null, stack), caption);
  const draw = (words, unit, { width, paths }) => {
    renew(described, `${title}: ${words}`);
    put(picture, "width", String(width));
    put(picture, "viewBox", `0 0 ${width} ${high}`);
    put(zero, "d", `M0 ${high / 2}H${width}`);
    for (const kind of Object.keys(paths)) shown[kind] ??= picture.appendChild(svg("path", { class: kind }));
    for (const [kind, one] of Object.entries(shown)) put(one, "d", paths[kind] ?? "");
    if (scale) renew(scale, ...[powered(unit), "0", `−${powered(unit)}`].map((end) => element("span", {}, end)));
  };
  return { figure, stack, draw };
}

const listed = (tensor) => tensor.display.map(signed).join(", ");

// An input of the state. `key` is the state's, `at` the place in a list.
function input(type, label, key, at, attributes = {}) {
  const { id = `${key}${at === undefined ? "" : `-${at}`}-${type}`, ...others } = attributes;
  const made = element("input", { type, id, "aria-label": label, "data-key": key, "data-at": at,
    step: "any", autocomplete: "off", ...others });
  made.value = valueOf(made);
  return made;
}

// What the state holds for an input; a range of stops shows the place among them.
function valueOf({ dataset: { key, at, stops } }) {
  const value = at === undefined ? state[key] : state[key][at];
  if (!stops) return value;
  const places = stops.split(",").map((stop) => Math.abs(Number(stop) - value));
  return places.indexOf(Math.min(...places));
}

// Vertical ranges over a chart, one a column.
function pulls({ stack }, key, name, unit) {
  stack.append(...state[key].map((_, i) =>
    input("range", `${name} ${i + 1}`, key, i, { class: "pull", "aria-orientation": "vertical",
      ...bounds(unit), style: `left:${4 + i * column}px;width:${column}px` })));
}

const bounds = (unit) => ({ min: -unit, max: unit, step: unit / 100 });

// The ranges of a view, whose scale has become another one.
function rescaled(view, unit) {
  for (const range of byId(view).querySelectorAll(".pull")) {
    dressed(range, bounds(unit), []);
    range.value = valueOf(range);
  }
  return unit;
}

const field = (label, key, at, attributes) => input("number", label, key, at, attributes);

// A horizontal range with its name and its field.
function handle(words, label, key, at, range, id) {
  const name = element("span", { class: "name" });
  name.innerHTML = words;
  return element("div", { class: "handle" }, name,
    input("range", label, key, at, { ...range, id: id && `${id}-range` }),
    field(`${label}, exactly`, key, at, { id: id && `${id}-number` }));
}

const button = (words, action, attributes = {}) =>
  element("button", { type: "button", onclick: action, ...attributes }, words);

// What a refused request says, in the place of figures.
function refusal(answers) {
  const refused = answers.find((answer) => answer.refusal)?.refusal;
  if (!refused) return null;
  return element("p", { class: "refused" },
    refused.name ? element("strong", {}, refused.name) : null, refused.name ? ": " : "", refused.message);
}

// A path through points, straight between them.
const path = (points) => points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(2)} ${y.toFixed(2)}`).join("");
