// Drawings: what their letters, bars and lines stand out from, and what the bars stand for.

// Text in drawings, which axe does not look at, has 4.5:1 against everything that may lie behind it;
// bars, lines and boxes have 3:1, in forced colors too, where the grid has less than the data.
export function drawingFaults(tab) {
  return tab.evaluate(() => {
    const rgb = (color) => color.match(/[\d.]+/g).map(Number);
    const luminance = (color) => {
      const [r, g, b] = rgb(color).map((c) =>
        c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ratio = (a, b) => {
      const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
      return (light + 0.05) / (dark + 0.05);
    };
    const faults = [];
    const paper = getComputedStyle(document.documentElement).backgroundColor;
    for (const text of document.querySelectorAll("svg text")) {
      const box = text.getBoundingClientRect();
      const behind = [paper];
      for (const rect of text.closest("svg").querySelectorAll("rect")) {
        const r = rect.getBoundingClientRect();
        const inside = box.left < r.right && r.left < box.right && box.top < r.bottom && r.top < box.bottom;
        if (inside && getComputedStyle(rect).fill !== "none") behind.push(getComputedStyle(rect).fill);
      }
      const fill = getComputedStyle(text).fill;
      // A box behind the text hides the paper.
      for (const color of behind.length > 1 ? behind.slice(1) : behind) {
        if (ratio(fill, color) < 4.5) {
          faults.push(`contrast ${ratio(fill, color).toFixed(2)}: ${text.textContent.trim()}`);
        }
      }
    }
    const stands = (selector, property) => {
      for (const mark of document.querySelectorAll(selector)) {
        if (!mark.checkVisibility()) continue;
        const card = mark.closest(".card");
        const behind = card ? getComputedStyle(card).backgroundColor : paper;
        const found = ratio(getComputedStyle(mark)[property], behind);
        if (found < 3) faults.push(`contrast ${found.toFixed(2)}: ${mark.getAttribute("class")}`);
      }
    };
    stands(".bar .plus, .bar .minus, .bar .zero, .bar .ghost, .plot .dot, svg .arrow", "fill");
    stands(".plot .curve, svg .edge, svg .node, svg .group", "stroke");
    const stroke = (selector) => getComputedStyle(document.querySelector(selector)).stroke;
    if (document.querySelector(".plot .curve") && document.querySelector(".plot .grid")) {
      if (ratio(stroke(".plot .grid"), paper) >= ratio(stroke(".plot .curve"), paper)) {
        faults.push("the grid is louder than the data");
      }
    }
    return [...new Set(faults)];
  });
}

// In forced colors every shape has one of the reader's.
export function forcedFaults(tab) {
  return tab.evaluate(() => {
    const probe = document.createElement("i");
    document.body.append(probe);
    const theirs = ["Canvas", "CanvasText", "GrayText", "Highlight"].map((color) => {
      probe.style.cssText = `forced-color-adjust: none; color: ${color}`;
      return getComputedStyle(probe).color;
    });
    probe.remove();
    const faults = [];
    for (const shape of document.querySelectorAll("svg :is(rect, circle, path, line, text)")) {
      if (shape.closest("defs")) continue;
      const style = getComputedStyle(shape);
      for (const color of [style.fill, style.stroke]) {
        if (color === "none" || theirs.includes(color)) continue;
        if (color === style.fill && ["path", "line"].includes(shape.localName)) continue;
        faults.push(`its own color: ${shape.getAttribute("class")} ${color}`);
      }
    }
    return [...new Set(faults)];
  });
}

// The bars of a figure have one zero and one unit. A figure is what stands in one section; bars in
// it that are of another unit have an axis with other ends, and every axis says what its bars show.
export function barFaults(tab) {
  return tab.evaluate(() => {
    const faults = [];
    const blocks = {};
    for (const script of document.querySelectorAll('script[type="application/json"]')) {
      blocks[script.id] = JSON.parse(script.textContent);
    }
    const valueOf = (element) => {
      let value = blocks[element.dataset.block || "evidence"];
      for (const word of element.dataset.path.split("/")) value = (value.shape ? value.values : value)[word];
      return typeof value === "object" ? value.value : value;
    };
    const axisOf = (bar) => {
      const rows = bar.closest(".by-feature");
      if (!rows) return bar.closest(".card")?.querySelector(".axis");
      return rows.querySelector(bar.closest("li.in") ? ".scales .in .axis" : ".scales :not(.in) > .axis");
    };
    const groups = new Map();
    for (const bar of document.querySelectorAll("svg.bar")) {
      if (!bar.checkVisibility()) continue;
      const axis = axisOf(bar);
      const words = [...(axis?.children ?? [])].map((end) => end.textContent.replaceAll("−", "-")
        .replace(/^(-?)(?:(.*)×)?10 to the power (-?\d+)$/, (_, sign, digits, power) => `${sign}${digits ?? 1}e${power}`));
      const figure = bar.closest("section, main, body");
      const key = `${figure.id} ${bar.closest(".by-feature") ? "rows" : ""} ${words}`;
      if (!groups.has(key)) groups.set(key, { bars: [], axis, words });
      const box = bar.getBoundingClientRect();
      const part = (name) => bar.querySelector(name)?.getBoundingClientRect();
      const mark = part(".plus") ?? part(".minus");
      const zero = part(".zero");
      const value = valueOf(bar.parentElement.querySelector("[data-path]"));
      const start = zero.left > box.left + 2 ? zero.left + zero.width / 2 : box.left;
      groups.get(key).bars.push({ value, length: mark.width, zero: start - box.left, room: box.width });
      const side = value < 0 ? Math.abs(mark.right - start) : Math.abs(mark.left - start);
      if (side > 1) faults.push(`a bar that does not begin at zero: ${value}`);
    }
    for (const [key, { bars, axis, words }] of groups) {
      const longest = bars.reduce((a, b) => (Math.abs(b.value) > Math.abs(a.value) ? b : a));
      if (longest.value === 0) continue;
      const unit = longest.length / Math.abs(longest.value);
      for (const { value, length, zero } of bars) {
        // A coordinate is written to a tenth of a percent of the room.
        const slack = 0.75 + longest.room / 500;
        if (Math.abs(length - Math.abs(value) * unit) > slack) {
          faults.push(`${key}: ${value} is ${length.toFixed(1)} px, not ${(Math.abs(value) * unit).toFixed(1)}`);
        }
        if (Math.abs(zero - longest.zero) > 1) faults.push(`${key}: two zeros`);
      }
      if (!axis) continue;
      const room = longest.room - longest.zero;
      const end = Number(words.at(-1));
      if (Math.abs(room / unit / end - 1) > 0.01) faults.push(`${key}: the axis ends at ${room / unit}`);
      if (words.length === 3 && Number(words[0]) !== -end) faults.push(`${key}: two units on one axis`);
    }
    return [...new Set(faults)].slice(0, 10);
  });
}
