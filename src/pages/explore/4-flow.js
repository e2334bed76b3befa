// View 1: x to y, on one scale.
const stageOf = (document, name) => document.stages.find((stage) => stage.stage === name);

const flow = {
  reach: [],
  scale() {
    return roundUp([...state.x, ...state.g, ...this.reach]);
  },
  build() {
    this.unit = this.scale();
    this.parts = {};
    const place = (key, via, name, title, ends) => {
      this.parts[key] = chart(name, title, { ends });
      return element("div", { class: "stop" }, element("p", { class: "way", "aria-hidden": "true" }, via), this.parts[key].figure);
    };
    byId("flow-charts").replaceChildren(
      place("x", "pull", "<i>x</i>", "Input", true), place("square", "square →", "<i>x</i>²", "Squares"),
      place("mean", "mean →", "<i>m</i>", "Mean square"), place("r", "1/√ →", "<i>r</i>", "Reciprocal RMS"),
      place("normalized", "times r →", "<i>x̂</i>", "RMS-rescaled"), place("g", "pull", "<i>g</i>", "Gain"),
      place("y", "times g →", "<i>y</i>", "Output"));
    pulls(this.parts.x, "x", "Feature", this.unit);
    pulls(this.parts.g, "g", "Gain", this.unit);
    this.tabulate();
  },
  update([answer]) {
    const refused = refusal([answer]);
    byId("flow").classList.toggle("off", Boolean(refused));
    const given = (key) => ({ values: state[key], display: state[key].map(String) });
    const document = answer.document;
    const value = (name) => document && stageOf(document, name).value;
    const [squares, mean, inverse, normalized, output] =
      ["square", "mean_square", "inverse_rms", "normalized", "output"].map(value);
    this.reach = document ? [...output.values, ...normalized.values] : [];
    const { unit, parts } = this;
    const none = { values: state.x.map(() => 0), display: ["none"] };
    const draw = (key, tensor, kind, drawn = bars(tensor, unit, kind)) => parts[key].draw(listed(tensor), unit, drawn);
    const one = (tensor, shape) => columns([tensor?.values[0]], (v, x, w) => (tensor ? shape(v, x, w) : []), 34);
    draw("x", given("x"), "in");
    draw("g", given("g"), "in");
    draw("square", squares ?? none, "in", columns((squares ?? none).values, (v, x, w) => square(v, unit, x, w)));
    draw("mean", mean ?? none, "in", one(mean, (v, x, w) => square(v, unit, x, w)));
    draw("r", inverse ?? none, "in", one(inverse, (v, x, w) => bar(v, unit, x + 4, w - 8, "in")));
    draw("normalized", normalized ?? none, "mid");
    draw("y", output ?? none, "out");
    const cut = document && [...squares.values.map(Math.sqrt), inverse.values[0], ...normalized.values, ...output.values].some((v) => Math.abs(v) > unit * 1.0001);
    byId("flow-cut").hidden = !cut;
    byId("flow-cut").textContent = `A notch: the bar goes on beyond ${powered(unit)}.`;
    this.rows.forEach(([name, cells]) =>
      cells.forEach((cell, i) => renew(cell, document ? figure(value(name), i) : "")));
    renew(byId("flow-scalars"), ...(refused ? [refused] : [
      "One for all features: mean square ", element("i", {}, "m"), " ", figure(mean),
      ", with ", element("i", {}, "ε"), ` ${powered(state.e)} reciprocal RMS `, element("i", {}, "r"), " ", figure(inverse),
      ". One zero and one unit for all; x² and m are squares of that scale, so the side of m is the RMS."]));
    this.words = refused ? refused.textContent : `y is ${listed(output)}`;
  },
  // Rows of fields, and of cells for figures.
  tabulate() {
    const row = (name, cells) => element("tr", {}, element("th", { scope: "row" }, ...name), ...cells);
    const cells = (make) => state.x.map((_, i) => element("td", {}, make(i)));
    const italic = (letter) => element("i", {}, letter);
    this.rows = ["square", "normalized", "output"].map((name) => [name, cells(() => "")]);
    const [squares, normalized, outputs] = this.rows.map(([, empty]) => empty);
    byId("flow-numbers").replaceChildren(element("table", { class: "numbers" },
      element("caption", { class: "spoken" }, "Numbers of the flow"),
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "feature"),
        ...state.x.map((_, i) => element("th", { scope: "col" }, String(i + 1))))),
      element("tbody", {},
        row([italic("x"), " input"], cells((i) => field(`Feature ${i + 1}, exactly`, "x", i))),
        row([italic("x"), "²"], squares),
        row([italic("x̂"), " = ", italic("x"), " times ", italic("r")], normalized),
        row([italic("g"), " gain"], cells((i) => field(`Gain ${i + 1}, exactly`, "g", i))),
        row([italic("y"), " = ", italic("x̂"), " times ", italic("g")], outputs))));
  },
};
