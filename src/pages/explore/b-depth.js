// View 8: what a change at the input becomes, in stacks of 1 to 32 layers of either wiring.
const deepest = 32;
const depths = Array.from({ length: deepest }, (_, i) => i + 1);

const depth = {
  build() {
    byId("depth-handles").replaceChildren(handle("layers", "Layers", "d", undefined, { min: 1, max: deepest, step: 1 }));
    byId("d-number").step = 1;
    byId("d-number").min = 1;
    byId("d-number").max = deepest;
  },
  update([answer]) {
    const refused = refusal([answer]);
    if (refused) {
      renew(byId("depth-plot"), refused);
      this.words = refused.textContent;
      return;
    }
    const rows = answer.document.depth;
    const [width, height, left, bottom, right] = [640, 260, 64, 40, 96];
    const kinds = [["post_norm_sensitivity", "post-norm", "ln"], ["pre_norm_sensitivity", "pre-norm", "rn"]];
    const logs = rows.flatMap((row) => kinds.map(([key]) => Math.log10(row[key].value))).filter(Number.isFinite);
    const [least, most] = [Math.floor(Math.min(...logs, 0)), Math.ceil(Math.max(...logs, 1))];
    const x = (layers) => left + ((layers - 1) / (deepest - 1)) * (width - left - right);
    const y = (value) => {
      const log = value > 0 ? Math.log10(value) : least;
      return 12 + ((most - log) / (most - least)) * (height - 12 - bottom);
    };
    const every = Math.ceil((most - least) / 6);
    const powers = Array.from({ length: most - least + 1 }, (_, i) => least + i).filter((power) => power % every === 0);
    const at = rows[state.d - 1];
    const lines = kinds.flatMap(([key, name, kind]) => [
      svg("path", { class: `curve ${kind}`, d: path(rows.map((row) => [x(row.depth), y(row[key].value)])) }),
      svg("circle", { class: `dot ${kind}`, cx: x(state.d), cy: y(at[key].value), r: 6 }),
      svg("text", { class: `name ${kind}`, x: width - right + 8, y: y(rows.at(-1)[key].value) + 4 }, name)]);
    const picture = drawing(width, height, "Sensitivity over depth",
      `After ${state.d} layers post-norm has ${at.post_norm_sensitivity.display}, pre-norm ${at.pre_norm_sensitivity.display}.`,
      ...powers.flatMap((power) => [svg("path", { class: "grid", d: `M${left} ${y(10 ** power)}H${width - right}` }),
        svg("text", { x: left - 8, y: y(10 ** power) + 4, "text-anchor": "end" }, powered(10 ** power))]),
      ...[1, 8, 16, 24, 32].map((layers) => svg("text", { x: x(layers), y: height - 22, "text-anchor": "middle" }, String(layers))),
      svg("text", { x: (left + width - right) / 2, y: height - 4, "text-anchor": "middle" }, "layers"),
      svg("path", { class: "mark", d: `M${x(state.d)} 12V${height - bottom}` }), ...lines);
    renew(byId("depth-plot"), picture, element("figcaption", {},
      `After ${state.d} ${state.d === 1 ? "layer" : "layers"} a change of the first feature arrives multiplied by `, figure(at.post_norm_sensitivity),
      " under post-norm and by ", figure(at.pre_norm_sensitivity), " under pre-norm; the outputs are ", figure(at.post_norm_output_norm), " and ",
      figure(at.pre_norm_output_norm), " long. All in binary32, each depth measured, lines straight between them; sublayer 0.5 · h + 0.1."));
    this.words = `sensitivity after ${state.d} layers: post-norm ${at.post_norm_sensitivity.display}, pre-norm ${at.pre_norm_sensitivity.display}`;
  },
};
