// View 7: one anchor, and the companion beside it in the batch.
const batch = {
  scale() {
    return roundUp([...state.x, ...state.c]);
  },
  build() {
    this.unit = this.scale();
    this.parts = ["c", "x", "bn", "ln", "rn"].map(() => element("figure", { class: "chart" }));
    this.note = element("div", { class: "note" });
    this.fields = element("p", { class: "row" }, element("span", { class: "name" }, "companion"),
      ...state.c.map((_, i) => field(`Companion ${i + 1}, exactly`, "c", i)));
    byId("batch-charts").replaceChildren(...this.parts, element("div", {}, this.fields, this.note));
    const [companion] = this.parts;
    this.draw(companion, "companion", { values: state.c, display: state.c }, "guess");
    pulls(companion, "c", "Companion", this.unit);
  },
  draw(part, name, tensor, kind, unit = this.unit, ghosts) {
    chart(part, { name, title: name, words: `${name}: ${tensor.display.join(", ")}`, unit, ends: true, columns: bars(tensor, unit, kind, ghosts) });
  },
  update(answers) {
    const refused = refusal(answers);
    byId("batch").classList.toggle("off", Boolean(refused));
    const [companion, anchor, ...norms] = this.parts;
    this.draw(companion, "companion", { values: state.c, display: state.c }, "guess");
    this.draw(anchor, "anchor x", { values: state.x, display: state.x }, "in");
    if (refused) {
      this.note.replaceChildren(refused);
      this.words = refused.textContent;
      return;
    }
    const [now, start] = answers.map((answer) => answer.document.history);
    const rows = (history) => [history.batch_norm[0], history.layer_norm, history.rms_norm];
    const unit = roundUp(rows(now).concat(rows(start)).flatMap((tensor) => tensor.values));
    for (const part of norms) part.replaceChildren();
    ["BatchNorm", "LayerNorm", "RMSNorm"].forEach((name, i) =>
      this.draw(norms[i], name, rows(now)[i], ["bn", "ln", "rn"][i], unit, rows(start)[i]));
    this.note.replaceChildren(element("p", {}, "The anchor under BatchNorm: ",
      ...now.batch_norm[0].values.flatMap((_, i) => [i ? ", " : "", figure(now.batch_norm[0], i)]),
      ". Outlines: beside the companion of the beginning. The three norms share one scale; RMSNorm has no ε here."));
    this.words = `BatchNorm of the anchor is ${listed(now.batch_norm[0])}`;
  },
};
