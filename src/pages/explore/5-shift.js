// View 2: offset and scale under LayerNorm and RMSNorm, with ghosts of the start.
const shift = {
  build() {
    byId("shift-handles").replaceChildren(
      handle("offset", "Offset", "o", undefined, { min: -10, max: 10, step: 0.1 }),
      handle("scale", "Scale", "s", undefined, { min: -5, max: 5, step: 0.1 }));
    this.parts = [["v", "<i>x</i> · scale + offset", "Input"], ["layer", "LayerNorm", "LayerNorm"], ["rms", "RMSNorm", "RMSNorm"]]
      .map(([key, name, title]) => chart(name, title, { id: `shift-${key}`, ends: true, high: 110 }));
    this.note = element("div", { class: "note" });
    const [input, ...norms] = this.parts.map(({ figure }) => figure);
    byId("shift-charts").replaceChildren(input, element("div", { class: "norms" }, ...norms), this.note);
  },
  update([now, start]) {
    const refused = refusal([now, start]);
    byId("shift").classList.toggle("off", Boolean(refused));
    if (refused) {
      renew(this.note, refused);
      this.words = refused.textContent;
      return;
    }
    const [after, before] = [now.document, start.document];
    const steep = roundUp([...after.vector.values, ...before.vector.values]);
    const norms = [after.layer_norm, after.rms_norm, before.layer_norm, before.rms_norm];
    const unit = roundUp(norms.flatMap((tensor) => tensor.values));
    [["vector", "in", steep], ["layer_norm", "ln", unit], ["rms_norm", "rn", unit]].forEach(([key, kind, scale], i) =>
      this.parts[i].draw(`${listed(after[key])}; before ${listed(before[key])}`, scale,
        bars(after[key], scale, kind, before[key], 110)));
    renew(this.note, element("p", {}, `${after.statement}.`),
      element("p", {}, "Outlines: before offset and scale. The input has an axis of its own, the norms share one."));
    this.words = after.statement;
  },
};
