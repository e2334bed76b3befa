// View 6: the tape, a stage a step: values on the way there, adjoints on the way back.
const forwardStages = ["input", "square", "mean_square", "stabilized", "log", "scaled_log",
  "inverse_rms", "normalized", "gain", "output"];
const backwardStages = ["output", "gain", "normalized", "inverse_rms", "scaled_log", "log",
  "stabilized", "mean_square", "square", "input"];
const lastStep = forwardStages.length + backwardStages.length;

const steps = {
  build() {
    byId("steps-handles").replaceChildren(
      element("p", { class: "row" },
        button("Step back", () => settle({ k: Math.max(0, state.k - 1) }), { id: "back" }),
        button("Step on", () => settle({ k: Math.min(lastStep, state.k + 1) }), { id: "on" }),
        element("label", { class: "stretch" }, "step ", input("range", "Step", "k", undefined, { min: 0, max: lastStep, step: 1 })),
        this.place = element("output", { class: "n", for: "k-range" })),
      element("p", { class: "row" }, element("span", { class: "name" }, "adjoint of the output"),
        ...state.u.map((_, i) => field(`Adjoint ${i + 1} of the output`, "u", i))));
  },
  update(answers) {
    const refused = refusal(answers);
    const [checks, stages] = answers.map((answer) => answer.document);
    byId("steps-tape").hidden = Boolean(refused);
    if (refused) {
      renew(byId("steps-gradients"), refused);
      this.words = refused.textContent;
      return;
    }
    const done = state.k - forwardStages.length;
    const shown = new Set(forwardStages.slice(0, state.k));
    const returned = new Set(backwardStages.slice(0, Math.max(0, done)));
    const now = done > 0 ? backwardStages[done - 1] : forwardStages[state.k - 1];
    this.place.textContent = `${state.k} of ${lastStep}`;
    byId("back").disabled = state.k === 0;
    byId("on").disabled = state.k === lastStep;
    const row = (words, tensor, kind) => element("p", { class: kind }, element("span", { class: "tag" }, words),
      ...tensor.values.flatMap((_, i) => [i ? ", " : "", figure(tensor, i)]), this.strip(tensor, kind));
    renew(byId("steps-tape"), ...forwardStages.map((name) => {
      const { formula, value, adjoint } = stageOf(stages, name);
      return element("li", { class: `node ${name === now ? "now" : ""}`, "aria-current": name === now ? "step" : false },
        element("code", {}, formula.replace("epsilon", "ε")),
        shown.has(name) ? row("value", value, "value") : element("p", { class: "todo" }, "value to come"),
        returned.has(name) ? row("adjoint", adjoint, "adjoint") : null);
    }));
    const heads = ["of", "by the tape", "central difference", "scaled error", "within the tolerance"];
    const rows = [["x", "input", checks.input_checks], ["g", "gain", checks.gain_checks]].flatMap(([letter, stage, list]) =>
      list.map((check) => element("tr", {}, element("th", { scope: "row" }, element("i", {}, letter), ` ${check.index + 1}`),
        ...(returned.has(stage) ? [figure(check.analytic), figure(check.numerical), figure(check.scaled_error), check.passed ? "yes" : "no"]
          : ["to come", "", "", ""]).map((cell) => element("td", {}, cell)))));
    renew(byId("steps-gradients"), element("table", {},
      element("caption", {}, element("span", {}, "Each gradient beside the slope that two shifted passes measure.")),
      element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, ...rows)));
    const current = now && stageOf(stages, now);
    this.words = !current ? "before the first stage" : done > 0 ? `adjoint of ${current.formula}: ${listed(current.adjoint)}`
      : `${current.formula}: ${listed(current.value)}`;
  },
  // All values of the tape on one scale, all adjoints on another; each stage says which by its tag.
  strip(tensor, kind) {
    const unit = roundUp(tensor.values);
    const width = tensor.values.length * 14 + 4;
    return svg("svg", { class: "strip", width, height: 34, viewBox: `0 0 ${width} 34`, "aria-hidden": "true" },
      svg("path", { class: "zero", d: `M0 17H${width}` }),
      svg("path", { class: `col ${kind === "value" ? "in" : "out"}`, d: tensor.values.map((value, i) =>
        upright(4 + i * 14, 10, 17 - (value / unit) * 16, 34)).join("") }));
  },
};
