// View 2: offset and scale under LayerNorm and RMSNorm, with ghosts of the start.
const shift = {
  build() {
    byId("shift-handles").replaceChildren(
      handle("offset", "Offset", "o", undefined, { min: -10, max: 10, step: 0.1 }),
      handle("scale", "Scale", "s", undefined, { min: -5, max: 5, step: 0.1 }));
    this.parts = ["v", "layer", "rms"].map((key) => element("figure", { class: "chart", id: `shift-${key}` }));
    this.note = element("div", { class: "note" });
    const [input, ...norms] = this.parts;
    byId("shift-charts").replaceChildren(input, element("div", { class: "norms" }, ...norms), this.note);
  },
  update([now, start]) {
    const refused = refusal([now, start]);
    byId("shift").classList.toggle("off", Boolean(refused));
    if (refused) {
      this.note.replaceChildren(refused);
      this.words = refused.textContent;
      return;
    }
    const [after, before] = [now.document, start.document];
    const steep = roundUp([...after.vector.values, ...before.vector.values]);
    const norms = [after.layer_norm, after.rms_norm, before.layer_norm, before.rms_norm];
    const unit = roundUp(norms.flatMap((tensor) => tensor.values));
    for (const part of this.parts) part.replaceChildren();
    const draw = (part, name, title, tensor, ghosts, kind, scale) => chart(part, {
      name, title, words: `${title}: ${listed(tensor)}; before ${listed(ghosts)}`, unit: scale,
      columns: bars(tensor, scale, kind, ghosts, 110), ends: true, high: 110 });
    draw(this.parts[0], "<i>x</i> · scale + offset", "Input", after.vector, before.vector, "in", steep);
    draw(this.parts[1], "LayerNorm", "LayerNorm", after.layer_norm, before.layer_norm, "ln", unit);
    draw(this.parts[2], "RMSNorm", "RMSNorm", after.rms_norm, before.rms_norm, "rn", unit);
    this.note.replaceChildren(element("p", {}, `${after.statement}.`),
      element("p", {}, "Outlines: before offset and scale. The input has an axis of its own, the norms share one."));
    this.words = after.statement;
  },
};
