// What a page must be: each check returns the list of its faults, empty for a good page.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { HtmlValidate } from "html-validate";

const require = createRequire(import.meta.url);
const axeSource = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

// Collects console messages, page errors and requests other than for the page itself.
export function watch(tab, url) {
  const faults = [];
  tab.on("console", (message) => faults.push(`console ${message.type()}: ${message.text()}`));
  tab.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  tab.on("request", (request) => {
    const target = request.url();
    if (target !== url && !target.startsWith("data:")) faults.push(`request: ${target}`);
  });
  return faults;
}

export async function htmlFaults(html) {
  const validator = new HtmlValidate({
    extends: ["html-validate:recommended"],
    rules: {
      // A matter of taste, and of a length that search engines cut.
      "long-title": "off",
      // The program writes &#39; for an apostrophe and lower-case doctypes.
      "doctype-style": ["error", { style: "lowercase" }],
      // A scrolling region is focusable, and named by its label, on purpose.
      "prefer-native-element": ["error", { exclude: ["region", "img"] }],
    },
  });
  const report = await validator.validateString(html);
  return report.results.flatMap((result) =>
    result.messages.map((m) => `${m.line}:${m.column} ${m.ruleId}: ${m.message}`),
  );
}

// Over a background that is a picture axe measures no contrast, so that the shades at the edges of
// scrolling regions are taken away first.
export async function axeFaults(tab) {
  await tab.addStyleTag({ content: ".region { background-image: none !important; }" });
  await tab.evaluate(axeSource);
  const violations = await tab.evaluate(async () => {
    const result = await window.axe.run(document, {
      resultTypes: ["violations"],
      // A region that scrolls is a tab stop by itself: keyboardFaults goes there.
      rules: { "scrollable-region-focusable": { enabled: false } },
    });
    return result.violations.map((v) => ({
      id: v.id,
      help: v.help,
      targets: v.nodes.map((n) => n.target.join(" ")).slice(0, 3),
    }));
  });
  return violations.map((v) => `${v.id}: ${v.help} (${v.targets.join("; ")})`);
}

// No horizontal scrolling of the page, no text cut off, none over another or outside its card.
export function layoutFaults(tab) {
  return tab.evaluate(() => {
    const faults = [];
    const root = document.scrollingElement;
    // What sticks to the screen's edge lies over what is scrolled beneath it.
    root.scrollTo(0, 0);
    if (root.scrollWidth > root.clientWidth) {
      faults.push(`the page is ${root.scrollWidth} px wide in ${root.clientWidth} px`);
    }
    const named = (element) =>
      element.tagName.toLowerCase() +
      (element.id ? "#" + element.id : "") +
      (element.className && element.className.baseVal === undefined ? "." + element.className : "");
    for (const element of document.querySelectorAll("body *")) {
      if (element.closest(".spoken, script, svg, math")) continue;
      const style = getComputedStyle(element);
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      const scrolls = element.getAttribute("role") === "region" && style.overflowX === "auto";
      const wide = element.scrollWidth > element.clientWidth + 1;
      const high = element.scrollHeight > element.clientHeight + 1;
      if ((wide && !scrolls) || high) faults.push(`cut off: ${named(element)}`);
    }
    const texts = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const parent = node.parentElement;
      if (!node.data.trim() || parent.closest(".spoken, .skip, script, style, math, desc, title")) {
        continue;
      }
      if (!parent.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const card = parent.closest(".card");
      for (const box of range.getClientRects()) {
        if (box.width < 1 || box.height < 1) continue;
        texts.push({ box, words: node.data.trim().slice(0, 40), node });
        const frame = (parent.closest(".region") ? null : card)?.getBoundingClientRect();
        if (frame && (box.left < frame.left || box.right > frame.right + 1 ||
                      box.top < frame.top || box.bottom > frame.bottom + 1)) {
          faults.push(`outside its card: ${node.data.trim().slice(0, 40)}`);
        }
      }
    }
    // Line boxes of one font may touch; letters that share more than a quarter of a line may not.
    texts.sort((a, b) => a.box.top - b.box.top);
    for (let i = 0; i < texts.length; ++i) {
      for (let j = i + 1; j < texts.length; ++j) {
        const a = texts[i].box;
        const b = texts[j].box;
        if (b.top > a.bottom) break;
        if (texts[i].node === texts[j].node) continue;
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (across > 2 && down > Math.min(a.height, b.height) * 0.35) {
          faults.push(`overlap: "${texts[i].words}" and "${texts[j].words}"`);
        }
      }
    }
    return faults;
  });
}

// Every figure is the JSON's, and every decimal number on the page is such a figure. What is read
// otherwise has the JSON's digits as its value, and is the same number.
export function figureFaults(tab, { least = 1 } = {}) {
  return tab.evaluate((least) => {
    const faults = [];
    const blocks = {};
    for (const script of document.querySelectorAll('script[type="application/json"]')) {
      blocks[script.id] = JSON.parse(script.textContent);
    }
    const missing = Symbol("missing");
    const beyond = Symbol("beyond");
    const isTensor = (value) => value && Array.isArray(value.display) && Array.isArray(value.shape);
    const find = (root, path) => {
      let value = root;
      for (const word of path.split("/")) {
        if (isTensor(value)) {
          const index = Number(word);
          if (index >= value.display.length && value.truncated) return beyond;
          const [display, number, bits] = ["display", "values", "bits"].map((key) => value[key]?.[index]);
          value = display === undefined ? undefined : { display, value: number, bits };
        } else {
          value = value?.[word];
        }
        if (value === undefined || value === null) return missing;
      }
      if (typeof value === "object") return "display" in value ? value : missing;
      return { display: String(value) };
    };
    // Sign and digits, and the exponent, as they are read.
    const parts = (element) => {
      const nodes = [...(element.firstElementChild ?? element).childNodes];
      const power = nodes.find((node) => node.nodeName === "SUP");
      const text = nodes.map((node) => (node === power ? "" : node.textContent)).join("").replaceAll("−", "-");
      if (!power) return { text, exponent: 0 };
      const before = text.replace(/×?10$/, "");
      const exponent = Number(power.lastChild.textContent.replace("−", "-"));
      return { text: /\d/.test(before) ? before : `${before}1`, exponent };
    };
    const denotes = (element, { display, value, bits }) => {
      const { text, exponent } = parts(element);
      if (text === display) return true;
      const number = Number(`${text}e${exponent}`);
      const same = bits?.length === 8 ? Math.fround(number) === value : number === value;
      if (same) return Object.is(number, -0) === Object.is(value, -0);
      // What is rounded shows three digits at least, and all that the evidence shows.
      const digits = text.replace(/[-+.]/g, "").replace(/^0+/, "");
      const half = 0.5 * 10 ** (exponent - (text.split(".")[1]?.length ?? 0));
      return exponent !== 0 && digits.length >= 3 && Math.abs(number - value) <= half * (1 + 1e-9);
    };
    const figures = document.querySelectorAll("[data-path]");
    for (const element of figures) {
      const block = element.dataset.block || "evidence";
      const path = element.dataset.path;
      const expected = find(blocks[block], path);
      if (expected === beyond) continue;
      if (expected === missing) {
        faults.push(`no such figure: ${block} ${path}`);
        continue;
      }
      const digits = element.value ?? element.textContent;
      if (digits !== expected.display) faults.push(`${path}: shown ${digits}, JSON ${expected.display}`);
      else if (element.value !== undefined && !denotes(element, expected)) {
        faults.push(`${path}: read as ${element.textContent}, JSON ${expected.value}`);
      }
    }
    if (figures.length < least) faults.push(`only ${figures.length} figures`);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (!/\d\.\d{3,}/.test(node.data)) continue;
      if (node.parentElement.closest("[data-path], script, style, desc, .axis")) continue;
      faults.push(`a number without evidence: ${node.data.trim().slice(0, 60)}`);
    }
    return faults;
  }, least);
}

// Tab reaches everything that can be used and every region that scrolls, and nothing else, in the
// order of the page, with a visible outline.
export async function keyboardFaults(tab) {
  const faults = [];
  const expected = await tab.evaluate(() => {
    const seen = new Set();
    const all = [
      ...document.querySelectorAll("a[href], input, button:enabled, summary, [tabindex='0'], [role=region]"),
    ];
    const list = all.filter((element) => {
      if (!element.checkVisibility()) return false;
      if (element.role === "region") return element.scrollWidth > element.clientWidth;
      if (element.type !== "radio") return true;
      // One stop a group: the chosen button.
      if (seen.has(element.name)) return false;
      const chosen = document.querySelector(`input[name="${element.name}"]:checked`);
      if (chosen && chosen !== element) return false;
      seen.add(element.name);
      return true;
    });
    list.forEach((element, i) => (element.dataset.stop = i));
    document.activeElement?.blur();
    window.getSelection().removeAllRanges();
    return list.length;
  });
  for (let i = 0; i < expected; ++i) {
    await tab.keyboard.press("Tab");
    const at = await tab.evaluate(() => {
      const element = document.activeElement;
      const style = getComputedStyle(element);
      const label = element.labels?.[0];
      const outlined = (s) => s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2;
      return {
        stop: Number(element.dataset?.stop ?? -1),
        visible: outlined(style) || (label ? outlined(getComputedStyle(label)) : false),
        words: (element.textContent || element.id || element.tagName).trim().slice(0, 40),
      };
    });
    if (at.stop !== i) faults.push(`stop ${i}: found ${at.stop} (${at.words})`);
    if (!at.visible) faults.push(`focus cannot be seen: ${at.words}`);
    if (faults.length > 3) break;
  }
  return faults;
}

// One h1, no skipped level, landmarks, language, title, description; heads with scope; pictures
// with words.
export function structureFaults(tab) {
  return tab.evaluate(() => {
    const faults = [];
    const need = (selector, count) => {
      const found = document.querySelectorAll(selector).length;
      if (found !== count) faults.push(`${found} of ${selector}, not ${count}`);
    };
    need("h1", 1);
    need("html[lang]", 1);
    need("main", 1);
    need("body > header", 1);
    need("body > footer", 1);
    need("meta[name=description][content]", 1);
    if (!document.title) faults.push("no title");
    let level = 1;
    for (const heading of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
      const next = Number(heading.tagName[1]);
      if (next > level + 1) faults.push(`heading level ${next} after ${level}: ${heading.textContent}`);
      level = next;
    }
    for (const head of document.querySelectorAll("th:not([scope])")) {
      faults.push(`no scope: ${head.textContent}`);
    }
    for (const drawing of document.querySelectorAll("svg:not([aria-hidden=true])")) {
      const words = drawing.querySelector("title")?.textContent && drawing.querySelector("desc")?.textContent;
      if (!words || drawing.getAttribute("role") !== "img") faults.push("a drawing without words");
      if (!drawing.closest("figure")?.querySelector("figcaption")) faults.push("a drawing without caption");
    }
    for (const link of document.querySelectorAll('a[href^="#"]')) {
      if (!document.querySelector(link.getAttribute("href"))) faults.push(`no target: ${link.href}`);
    }
    return faults;
  });
}

// The three states of a vector stay apart without color.
export function borderFaults(tab) {
  return tab.evaluate(() => {
    const faults = [];
    for (const style of ["solid", "dashed", "double"]) {
      for (const card of document.querySelectorAll(`.card.${style}`)) {
        const found = getComputedStyle(card);
        if (found.borderTopStyle !== style || parseFloat(found.borderTopWidth) < 3) {
          faults.push(`${style} border: found ${found.borderTopStyle} ${found.borderTopWidth}`);
        }
        if (found.borderTopColor === found.backgroundColor) faults.push(`${style} border is hidden`);
      }
    }
    return [...new Set(faults)];
  });
}

// On A4 with 15 mm margins (about 680 px of 1009): no card, row, figure or flow is cut by a page's
// end, the cards of one vector stand beside each other, tables are not cut behind their first or
// before their last row, and answers are left blank.
export function printFaults(tab) {
  return tab.evaluate(() => {
    const faults = [];
    const named = (element) => element.className.baseVal ?? (element.className || element.tagName);
    for (const card of document.querySelectorAll(".card, .cards, .flow, .plot, figure, tr")) {
      if (!card.checkVisibility()) continue;
      const style = getComputedStyle(card);
      if (style.breakInside !== "avoid") faults.push(`may be cut: ${named(card)}`);
      if (card.getBoundingClientRect().height > 1009) faults.push("higher than a sheet");
    }
    for (const card of document.querySelectorAll(".trio > .card, .flow .card")) {
      if (!card.checkVisibility()) continue;
      if (card.getBoundingClientRect().width > 340) faults.push(`a card as wide as the sheet: ${named(card)}`);
    }
    for (const row of document.querySelectorAll("thead, tbody tr:first-child")) {
      if (getComputedStyle(row).breakAfter !== "avoid") faults.push("a table may be cut behind its first row");
    }
    for (const row of document.querySelectorAll("tbody tr:last-child")) {
      if (getComputedStyle(row).breakBefore !== "avoid") faults.push("a table may be cut before its last row");
    }
    for (const answer of document.querySelectorAll(".questions details > :not(summary)")) {
      if (answer.checkVisibility()) faults.push(`an answer on paper: ${answer.textContent.slice(0, 40)}`);
    }
    for (const region of document.querySelectorAll(".region")) {
      if (region.scrollWidth > 681) faults.push(`wider than a sheet: ${region.ariaLabel}`);
    }
    return [...new Set(faults)];
  });
}

export function motionFaults(tab) {
  return tab.evaluate(() => {
    const faults = [];
    for (const element of document.querySelectorAll("*")) {
      const style = getComputedStyle(element);
      const moves =
        style.scrollBehavior === "smooth" ||
        parseFloat(style.transitionDuration) > 0 ||
        (style.animationName !== "none" && parseFloat(style.animationDuration) > 0);
      if (moves) faults.push(`moves: ${element.tagName}`);
    }
    return [...new Set(faults)];
  });
}
