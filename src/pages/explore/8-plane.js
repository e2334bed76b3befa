// View 5: two features, the circle that RMSNorm leaves and the two points that LayerNorm leaves.
const plane2 = {
  build() {
    const span = { min: -10, max: 10, step: 0.05 };
    byId("plane-handles").replaceChildren(
      ...[0, 1].map((i) => handle(`<i>x</i><sub>${i + 1}</sub>`, `Point, feature ${i + 1}`, "x", i, span, `plane-x-${i}`)),
      ...[0, 1].map((i) => handle(`<i>g</i><sub>${i + 1}</sub>`, `Gain of feature ${i + 1}`, "g", i, { ...span, min: -3, max: 3 }, `plane-g-${i}`)),
      this.note = element("div", { class: "note" }));
    this.figure = byId("plane-plot");
    this.figure.onpointerdown = (event) => event.target.closest("svg") && this.pull(event);
  },
  update(answers) {
    const refused = refusal(answers);
    byId("plane").classList.toggle("off", Boolean(refused));
    const size = 320;
    const center = size / 2;
    const root = Math.SQRT2;
    const [a, b] = plane(state);
    this.unit = roundUp([a, b, 2, ...state.g.slice(0, 2).map((g) => g * root)]);
    const scale = (center - 14) / this.unit;
    const at = ([x, y]) => [center + x * scale, center - y * scale];
    const [forward, compare] = answers.map((answer) => answer.document);
    const pass = forward?.primary;
    const dot = (point, kind, name, radius = 6) => {
      const [x, y] = at(point);
      return [svg("circle", { class: `dot ${kind}`, cx: x, cy: y, r: radius }),
        svg("text", { class: "name", x: Math.min(size - 16, x + 9), y: Math.max(14, y - 7) }, name)];
    };
    const diamond = (x, y, filled) => {
      const [left, top] = at([x, y]);
      return svg("path", { class: `diamond ${filled ? "now" : ""}`, d: `M${left} ${top - 8}l8 8 -8 8 -8 -8z` });
    };
    const layer = compare?.layer_norm.values;
    const end = at([a, b]);
    const picture = drawing(size, size, "Two features as a plane",
      `The point ${a}, ${b}; RMSNorm takes it to ${pass ? listed(pass.normalized) : "nowhere"}, the gain to ${pass ? listed(pass.output) : "nowhere"}.`,
      svg("path", { class: "grid", d: `M0 ${center}H${size}M${center} 0V${size}` }),
      svg("text", { x: size - 4, y: center - 5, "text-anchor": "end" }, powered(this.unit)),
      svg("circle", { class: "circle", cx: center, cy: center, r: root * scale }),
      svg("ellipse", { class: "ellipse", cx: center, cy: center, rx: root * Math.abs(state.g[0]) * scale, ry: root * Math.abs(state.g[1]) * scale }),
      svg("path", { class: "ray", d: `M${center} ${center}L${end[0]} ${end[1]}` }),
      diamond(-1, 1, layer && layer[0] < 0), diamond(1, -1, layer && layer[0] > 0),
      ...(pass ? [...dot(pass.normalized.values, "mid", "x̂"), ...dot(pass.output.values, "out", "y")] : []),
      ...dot([a, b], "grip", "x", 12));
    const caption = element("figcaption", {},
      "Dashed: the circle of radius √2, where every ray ends but for ε. Solid: the ellipse that the gain makes of it. Diamonds: all that LayerNorm leaves of two features. Pull the point, or use the ranges.");
    renew(this.figure, picture, caption);
    renew(this.note, ...(refused ? [refused] : [element("p", {}, "x̂ ", figure(pass.normalized, 0), ", ", figure(pass.normalized, 1),
      "; y ", figure(pass.output, 0), ", ", figure(pass.output, 1), "; LayerNorm ", figure(compare.layer_norm, 0), ", ", figure(compare.layer_norm, 1)),
    state.x.length > 2 ? element("p", {}, "Of the vector in the views above these are the first two features, as a vector of their own.") : null]));
    this.words = refused ? refused.textContent : `x̂ is ${listed(pass.normalized)}`;
  },
  // The point follows the pointer until it is let go, whatever is drawn anew meanwhile.
  pull(event) {
    event.preventDefault();
    const box = this.figure.querySelector("svg").getBoundingClientRect();
    const unit = this.unit;
    const follow = ({ clientX, clientY }) => {
      const part = (place, start, length) => ((place - start) / length - 0.5) * 2 * (unit * 160 / 146);
      const near = (value) => Number(Math.max(-unit, Math.min(unit, value)).toPrecision(2));
      change({ x: [near(part(clientX, box.left, box.width)), near(-part(clientY, box.top, box.height)), ...state.x.slice(2)] }, null, "plane");
    };
    const release = () => {
      removeEventListener("pointermove", follow);
      removeEventListener("pointerup", release);
      settle();
    };
    addEventListener("pointermove", follow);
    addEventListener("pointerup", release);
    follow(event);
  },
};
