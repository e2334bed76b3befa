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

// One bar from zero; cut with a notch where it leaves the scale.
function bar(value, unit, x, width, kind, high = tall) {
  const [zero, end] = [high / 2, yOf(value, unit, high)];
  const parts = [svg("rect", { class: `col ${kind}`, x, width, y: Math.min(zero, end),
    height: Math.max(Math.abs(end - zero), 0.5) })];
  if (Math.abs(value) > unit * 1.0001) {
    const y = value > 0 ? inset + 8 : high - inset - 8;
    parts.push(svg("path", { class: "notch", d: `M${x - 2} ${y + 3}l${width + 4} -6` }));
  }
  return parts;
}

// A square whose side is the root of the value: areas beside lengths, on one scale.
function square(value, unit, x, width) {
  const side = Math.min((Math.sqrt(value) / unit) * (tall / 2 - inset), tall / 2);
  return svg("rect", { class: "area", x: x + width / 2 - side / 2, y: tall / 2 - side,
    width: Math.max(side, 0.5), height: Math.max(side, 0.5) });
}

// A chart in the place of `old`: columns that draw themselves, under ranges that stay as they are.
function chart(old, { name, title, words, unit, columns, step = column, ends = false, high = tall }) {
  const width = columns.length * step + 8;
  const picture = svg("svg", { role: "img", width, height: high, viewBox: `0 0 ${width} ${high}` },
    svg("title", {}, title), svg("desc", {}, words),
    svg("path", { class: "zero", d: `M0 ${high / 2}H${width}` }),
    ...columns.flatMap((draw, i) => draw(4 + i * step + 4, step - 8)));
  const scale = [powered(unit), "0", `−${powered(unit)}`].map((end) => element("span", {}, end));
  const stack = old.querySelector(".stack");
  if (stack) {
    stack.querySelector("svg").replaceWith(picture);
    old.querySelector(".ends")?.replaceChildren(...scale);
    return;
  }
  const caption = element("figcaption");
  caption.innerHTML = name;
  old.replaceChildren(
    element("div", { class: "plotted" },
      ends ? element("span", { class: "ends", style: `height:${high}px`, "aria-hidden": "true" }, ...scale) : null,
      element("div", { class: "stack" }, picture)),
    caption);
}

// Bars of a tensor of the core, and ghosts of another one.
const bars = (tensor, unit, kind, ghosts, high = tall) => tensor.values.map((value, i) => (x, width) => [
  ...(ghosts ? [ghost(yOf(ghosts.values[i], unit, high), x, width, high)] : []),
  ...bar(value, unit, x, width, kind, high)]);

const ghost = (y, x, width, high) => svg("rect", { class: "ghost", x: x - 2, width: width + 4,
  y: Math.min(high / 2, y), height: Math.max(Math.abs(y - high / 2), 0.5) });

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
function pulls(figure, key, name, unit) {
  figure.querySelector(".stack").append(...state[key].map((_, i) =>
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
