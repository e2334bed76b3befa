// View 3: epsilon beside the mean square.
const stops = [0, ...Array.from({ length: 13 }, (_, i) => Number(`1e-${12 - i}`))];
// A decimal shift, as it reads: 0.0003 becomes 0.003.
const shifted = (value, by) => {
  const [digits, exponent = "0"] = String(value).split("e");
  return Number(`${digits}e${Number(exponent) + by}`);
};

const epsilon = {
  build() {
    const begin = (x) => () => settle({ x: fit(x, state.x.length, 0) });
    const times = (by) => () => settle({ x: state.x.map((value) => shifted(value, by)) });
    byId("epsilon-handles").replaceChildren(
      handle("<i>ε</i>", "Epsilon", "e", undefined, { min: 0, max: stops.length - 1, step: 1, "data-stops": stops.join(",") }),
      element("p", { class: "row" }, button("Ordinary", begin([3, 4]), { id: "ordinary" }),
        button("Tiny", begin([0.0003, 0.0004]), { id: "tiny" }), button("Zero row", begin([]), { id: "zero-row" }),
        button("x times 10", times(1), { id: "times-10" }), button("x by 10", times(-1), { id: "by-10" })));
    this.range = byId("e-range");
    this.drawn = null;
  },
  update(answers) {
    this.range.setAttribute("aria-valuetext", powered(state.e));
    const [forward, scale] = answers;
    const refused = refusal(answers);
    const kept = forward.document?.primary.normalized_mean_square;
    if (this.drawn !== state.e) this.draw();
    this.place(forward.document?.primary.mean_square.values[0], kept);
    renew(this.caption, ...(refused ? [refused] : [
      "The curve is m/(m + ε), dashed where m = ε; the dot is the present vector: mean square of ", element("i", {}, "x̂"), " ", figure(kept),
      ". Times 10: ", element("i", {}, "x̂"), " moves by at most ", figure(scale.document.scales[0].max_abs_diff), "."]));
    this.words = refused ? refused.textContent : `mean square of the normalized vector ${kept.display}`;
  },
  // The plot of one epsilon, without its dot.
  draw() {
    this.drawn = state.e;
    const [width, height, left, bottom, least, most] = [440, 190, 40, 34, -16, 4];
    const xOf = (log) => left + ((log - least) / (most - least)) * (width - left - 14);
    const y = (part) => 14 + (1 - part) * (height - 14 - bottom);
    // The formula, one sample a pixel.
    const sampled = Array.from({ length: width - left - 13 }, (_, i) => left + i).map((x) => {
      const m = 10 ** (least + ((x - left) / (width - left - 14)) * (most - least));
      return [x, y(m / (m + state.e))];
    });
    const dot = svg("circle", { class: "dot", r: 6 });
    const picture = drawing(width, height, "What epsilon leaves of the energy", "",
      ...[-16, -12, -8, -4, 0, 4].flatMap((power) => [svg("path", { class: "grid", d: `M${xOf(power)} ${y(1)}V${y(0)}` }),
        svg("text", { x: xOf(power), y: height - 16, "text-anchor": "middle" }, powered(Number(`1e${power}`)))]),
      ...[0, 0.5, 1].flatMap((part) => [svg("path", { class: "grid", d: `M${left} ${y(part)}H${width - 14}` }),
        svg("text", { x: left - 6, y: y(part) + 4, "text-anchor": "end" }, String(part))]),
      svg("text", { x: (left + width) / 2, y: height - 2, "text-anchor": "middle" }, "mean square m of x"),
      svg("path", { class: "curve", d: path(sampled) }),
      state.e > 0 ? svg("path", { class: "mark", d: `M${xOf(Math.log10(state.e))} ${y(1)}V${y(0)}` }) : null, dot);
    this.place = (mean, kept) => {
      picture.querySelector("desc").textContent = "The curve m / (m + epsilon) over the mean square m, " +
        `with epsilon ${state.e}${kept ? `; the present vector has ${kept.display}` : ""}.`;
      dressed(dot, { cx: xOf(Math.min(most, Math.max(least, mean > 0 ? Math.log10(mean) : least))),
        cy: y(kept?.value ?? 0), visibility: kept ? "visible" : "hidden" }, []);
    };
    byId("epsilon-plot").replaceChildren(picture, this.caption = element("figcaption"));
  },
};
