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
    const place = (key, via) => {
      this.parts[key] = element("figure", { class: "chart" });
      return element("div", { class: "stop" }, element("p", { class: "way", "aria-hidden": "true" }, via), this.parts[key]);
    };
    byId("flow-charts").replaceChildren(
      place("x", "pull"), place("square", "square →"), place("mean", "mean →"),
      place("r", "1/√ →"), place("normalized", "times r →"), place("g", "pull"), place("y", "times g →"));
    this.table = null;
  },
  update([answer]) {
    const refused = refusal([answer]);
    byId("flow").classList.toggle("off", Boolean(refused));
    const given = (key) => ({ values: state[key], display: state[key].map(String) });
    const document = answer.document;
    const value = (name) => document && stageOf(document, name).value;
    const output = value("output");
    const normalized = value("normalized");
    this.reach = document ? [...output.values, ...normalized.values] : [];
    const { unit, parts } = this;
    const none = { values: state.x.map(() => 0), display: ["none"] };
    const draw = (key, name, title, tensor, kind, more) => chart(parts[key], {
      name, title, words: `${title}: ${listed(tensor)}`, unit, columns: bars(tensor, unit, kind), ...more });
    const first = !parts.x.firstChild;
    draw("x", "<i>x</i>", "Input", given("x"), "in", { ends: true });
    draw("g", "<i>g</i>", "Gain", given("g"), "in");
    if (first) {
      pulls(parts.x, "x", "Feature", unit);
      pulls(parts.g, "g", "Gain", unit);
    }
    const squares = value("square") ?? none;
    const mean = value("mean_square");
    draw("square", "<i>x</i>²", "Squares", squares, "in", { columns: squares.values.map((v) => (x, w) => [square(v, unit, x, w)]) });
    draw("mean", "<i>m</i>", "Mean square", mean ?? none, "in", { step: 34, columns: [(x, w) => mean ? [square(mean.values[0], unit, x, w)] : []] });
    const inverse = value("inverse_rms");
    draw("r", "<i>r</i>", "Reciprocal RMS", inverse ?? none, "in", { step: 34, columns: [(x, w) => inverse ? bar(inverse.values[0], unit, x + 4, w - 8, "in") : []] });
    draw("normalized", "<i>x̂</i>", "RMS-rescaled", normalized ?? none, "mid");
    draw("y", "<i>y</i>", "Output", output ?? none, "out");
    const cut = document && [...squares.values.map(Math.sqrt), inverse.values[0], ...normalized.values, ...output.values].some((v) => Math.abs(v) > unit * 1.0001);
    byId("flow-cut").hidden = !cut;
    byId("flow-cut").textContent = `A notch: the bar goes on beyond ${powered(unit)}.`;
    this.numbers(document, refused);
    this.words = refused ? refused.textContent : `y is ${listed(output)}`;
  },
  // The rows of numbers; fields stay, figures are set anew.
  numbers(document, refused) {
    if (!this.table) {
      const row = (name, cells, id) => element("tr", { id }, element("th", { scope: "row" }, ...[name].flat()), ...cells);
      const cells = (make) => state.x.map((_, i) => element("td", {}, make(i)));
      const empty = () => cells(() => "");
      const italic = (letter) => element("i", {}, letter);
      this.table = element("table", { class: "numbers" },
        element("caption", { class: "spoken" }, "Numbers of the flow"),
        element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "feature"),
          ...state.x.map((_, i) => element("th", { scope: "col" }, String(i + 1))))),
        element("tbody", {},
          row([italic("x"), " input"], cells((i) => field(`Feature ${i + 1}, exactly`, "x", i))),
          row([italic("x"), "²"], empty(), "flow-square"),
          row([italic("x̂"), " = ", italic("x"), " times ", italic("r")], empty(), "flow-normalized"),
          row([italic("g"), " gain"], cells((i) => field(`Gain ${i + 1}, exactly`, "g", i))),
          row([italic("y"), " = ", italic("x̂"), " times ", italic("g")], empty(), "flow-output")));
      byId("flow-numbers").replaceChildren(this.table);
    }
    for (const name of ["square", "normalized", "output"]) {
      [...byId(`flow-${name}`).querySelectorAll("td")].forEach((cell, i) => {
        cell.replaceChildren(document ? figure(stageOf(document, name).value, i) : "");
      });
    }
    byId("flow-scalars").replaceChildren(...(refused ? [refused] : [
      "One for all features: mean square ", element("i", {}, "m"), " ", figure(stageOf(document, "mean_square").value),
      ", with ", element("i", {}, "ε"), ` ${powered(state.e)} reciprocal RMS `, element("i", {}, "r"), " ",
      figure(stageOf(document, "inverse_rms").value),
      ". One zero and one unit for all; x² and m are squares of that scale, so the side of m is the RMS."]));
  },
};
