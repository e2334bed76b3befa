// View 4: a guess first. The rows stand in no other view, and their results nowhere before.
const gates = [{ x: [1, 7], g: [1, 0.5] }, { x: [2, -4, 4, 8], g: [1, 1, 0.5, 1] },
  { x: [-7, 17], g: [1.3, 0.5] }, { x: [1, 3, 5, -1], g: [0.9, 2, 0.6, 1.5] }];
const asked = "output";

const predict = {
  build() {
    const gate = gates[state.q];
    state.p = fit(state.p, gate.x.length, 0);
    this.guess = chart("your <i>y</i>", "Guess", { ends: true });
    this.given = chart("<i>x</i>", "Input", { ends: true });
    this.question = element("p", {});
    this.verdict = element("div", { class: "verdict-box" });
    this.fields = element("p", { class: "row" }, ...state.p.map((_, i) => field(`Guess ${i + 1}, exactly`, "p", i)));
    byId("predict-body").replaceChildren(this.question,
      element("div", { class: "charts" }, this.given.figure, element("div", {}, this.guess.figure, this.fields)),
      element("p", { class: "row" }, button("Check the guess", () => this.grade(), { id: "check" }),
        button("Another row", () => settle({ q: (state.q + 1) % gates.length, p: [] }), { id: "another" })),
      this.verdict);
    this.unit = 2;
    this.given.draw(gate.x.join(", "), roundUp(gate.x), bars({ values: gate.x }, roundUp(gate.x), "in"));
    pulls(this.guess, "p", "Guess", this.unit);
    for (const range of this.guess.stack.querySelectorAll("input")) range.step = 0.01;
    this.graded = null;
    this.drawn = String(state.p);
  },
  // A guess that changes takes its verdict away.
  update([answer]) {
    const prediction = answer.document.predictions.find(({ id }) => id === asked);
    this.question.textContent = prediction.question;
    if (this.graded && this.drawn !== String(state.p)) this.graded = null;
    this.drawn = String(state.p);
    const right = this.graded?.document?.predictions.find(({ id }) => id === asked);
    const expected = right?.expected_values;
    this.guess.draw(`${state.p.join(", ")}${expected ? `; output: ${listed(expected)}` : ""}`, this.unit,
      bars({ values: state.p }, this.unit, "guess", expected));
    renew(this.verdict, ...(right ? [
      element("p", { class: right.status }, element("strong", {}, right.status === "right" ? "Right. " : "Not yet. "), right.explanation)] :
      this.graded?.refusal ? [refusal([this.graded])] : []));
    this.words = this.verdict.textContent || prediction.question;
  },
  grade() {
    this.graded = run(`${commands.predict(state)[0]}\n${asked} ${state.p.join(",")}`);
    this.drawn = String(state.p);
    this.update(answersOf("predict"));
    say(this.words);
  },
};
