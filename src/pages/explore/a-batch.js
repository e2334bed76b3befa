// View 7: one anchor, and the companion beside it in the batch.
const batch = {
  scale() {
    return roundUp([...state.x, ...state.c]);
  },
  build() {
    this.unit = this.scale();
    this.parts = ["companion", "anchor x", "BatchNorm", "LayerNorm", "RMSNorm"].map((name) => chart(name, name, { ends: true }));
    this.note = element("div", { class: "note" });
    this.fields = element("p", { class: "row" }, element("span", { class: "name" }, "companion"),
      ...state.c.map((_, i) => field(`Companion ${i + 1}, exactly`, "c", i)));
    byId("batch-charts").replaceChildren(...this.parts.map(({ figure }) => figure), element("div", {}, this.fields, this.note));
    pulls(this.parts[0], "c", "Companion", this.unit);
  },
  update(answers) {
    const refused = refusal(answers);
    byId("batch").classList.toggle("off", Boolean(refused));
    const [companion, anchor, ...norms] = this.parts;
    companion.draw(state.c.join(", "), this.unit, bars({ values: state.c }, this.unit, "guess"));
    anchor.draw(state.x.join(", "), this.unit, bars({ values: state.x }, this.unit, "in"));
    if (refused) {
      renew(this.note, refused);
      this.words = refused.textContent;
      return;
    }
    const [now, start] = answers.map((answer) => answer.document.history);
    const rows = (history) => [history.batch_norm[0], history.layer_norm, history.rms_norm];
    const unit = roundUp(rows(now).concat(rows(start)).flatMap((tensor) => tensor.values));
    norms.forEach((norm, i) =>
      norm.draw(listed(rows(now)[i]), unit, bars(rows(now)[i], unit, ["bn", "ln", "rn"][i], rows(start)[i])));
    renew(this.note, element("p", {}, "The anchor under BatchNorm: ",
      ...now.batch_norm[0].values.flatMap((_, i) => [i ? ", " : "", figure(now.batch_norm[0], i)]),
      ". Outlines: beside the companion of the beginning. The three norms share one scale; RMSNorm has no ε here."));
    this.words = `BatchNorm of the anchor is ${listed(now.batch_norm[0])}`;
  },
};
