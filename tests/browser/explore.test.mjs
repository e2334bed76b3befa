// The explorer in a real browser, beside the program itself.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import * as checks from "./checks.mjs";
import { browserOf } from "./chromium.mjs";

const program = process.env.RMSNORM_FIXTURE;
assert.ok(program, "RMSNORM_FIXTURE names the program");

const folder = mkdtempSync(join(tmpdir(), "rmsnorm-explore-"));
const file = join(folder, "explore.html");
execFileSync(program, ["explore", "-o", file]);
const html = readFileSync(file, "utf8");
const views = ["flow", "shift", "epsilon", "predict", "plane", "steps", "batch", "depth"];

const visit = browserOf(folder);

// Views that are off the first screen come after it, and each change reaches them when the hand rests.
const drawnAll = (tab) => tab.waitForFunction(() => document.querySelector("#live[aria-busy=false], html:not(.scripted)"));

function withPage(use, { hash = "", page = file, width = 1440, noise = /blob:/, ...options } = {}) {
  const ready = async (tab) => {
    if (options.javaScriptEnabled !== false) {
      await drawnAll(tab);
    }
    await use(tab);
  };
  return visit(pathToFileURL(page).href, { viewport: { width, height: 900 }, ...options }, ready,
    { hash, isNoise: (fault) => !noise.test(fault) });
}

const numbers = (tab, view) => tab.locator(`#${view} .n`).allTextContents();
const command = (tab, view) => tab.locator(`#${view} .tools code`).textContent();
const drawn = (tab, selector) => tab.locator(selector).evaluate((svg) => svg.outerHTML);

async function downloaded(tab, view) {
  const waiting = tab.waitForEvent("download");
  await tab.locator(`#${view} .tools button`).nth(1).click();
  return readFileSync(await (await waiting).path(), "utf8");
}

function native(line) {
  const [name, ...words] = line.split(" ");
  assert.equal(name, "rmsnorm-fixture");
  return spawnSync(program, [...words, "--format", "json"], { encoding: "utf8", maxBuffer: 1 << 26 });
}

async function boxOf(tab, selector) {
  await tab.locator(selector).scrollIntoViewIfNeeded();
  return tab.locator(selector).boundingBox();
}

async function pulled(tab, selector, by) {
  const box = await boxOf(tab, selector);
  const value = Number(await tab.locator(selector).inputValue());
  const most = Number(await tab.locator(selector).getAttribute("max"));
  const y = box.y + box.height / 2 - (value / most) * (box.height / 2 - 12);
  await tab.mouse.move(box.x + box.width / 2, y);
  await tab.mouse.down();
  await tab.mouse.move(box.x + box.width / 2, y - by, { steps: 4 });
  await tab.mouse.up();
}

describe("the file", () => {
  it("is at most 300 KB, 110 KB of them packed, and valid", async () => {
    assert.ok(Buffer.byteLength(html) <= 300 * 1024, `${Buffer.byteLength(html)} bytes`);
    const packed = gzipSync(html, { level: 9 }).length;
    assert.ok(packed <= 110 * 1024, `${packed} bytes`);
    assert.deepEqual(await checks.htmlFaults(html), []);
  });
  it("shows the chapter without scripts", () =>
    withPage(async (tab) => {
      assert.equal(await tab.locator("#live").isVisible(), false);
      assert.match(await tab.locator('#still [data-path="primary/output/0"]').textContent(), /1\.27/);
      assert.deepEqual(await checks.layoutFaults(tab), []);
    }, { javaScriptEnabled: false, width: 390 }));
});

describe("trust", () => {
  it("ticks when the core gives the evidence back", () =>
    withPage(async (tab) => {
      assert.match(await tab.locator("#verified").textContent(), /^✓/);
      assert.equal(await tab.locator("#live").isVisible(), true);
    }));
  const refuses = (name, tampered, reason, noise) =>
    it(`refuses to run with ${name}`, async () => {
      assert.notEqual(tampered, html);
      const page = join(folder, "tampered.html");
      writeFileSync(page, tampered);
      await withPage(async (tab) => {
        assert.match(await tab.locator("#verified").textContent(), reason);
        assert.equal(await tab.locator("#live").isVisible(), false);
        assert.equal(await tab.locator("#still").isVisible(), true);
      }, { page, noise });
    });
  // The last digit of the bits of the chapter's first output.
  refuses("one bit of the evidence changed", html.replace(
    /("output": \{[^}]*?"bits": \[\s*"[0-9a-f]{15})([0-9a-f])/,
    (_, start, last) => start + (Number(`0x${last}`) ^ 1).toString(16)), /does not run here: .*\/primary\/output\/bits\/0 /);
  refuses("a damaged core", html.replace(/(id="core">.{4000})..../, "$1AAAA"), /does not run here/);
  refuses("half a core", html.replace(/(id="core">.{4000})[^<]*/, "$1"), /does not run here: the core cannot be started \(it ends too early\)/);
  refuses("no proper script", html.replace("async function begin()", "async function"), /as the program computed and checked them/, /SyntaxError|Unexpected token/);
  refuses("no core", html.replace(/(id="core">)[^<]*/, "$1AAAA"), /does not run here: the core cannot be started/);
});

describe("bits", () => {
  // A generator of its own, so that the states are the same in every run.
  let seed = 20261130;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  const pick = (list) => list[Math.floor(random() * list.length)];
  const number = () => {
    const digits = Math.floor(random() * 2 ** pick([3, 10, 30])) * pick([1, -1]);
    return Number(`${digits}e${pick([0, -1, -3, -9, -5, 2])}`);
  };
  const list = (width) => Array.from({ length: width }, number);
  const states = Array.from({ length: 200 }, () => {
    const width = 2 + Math.floor(random() * 7);
    const x = pick([list(width), list(width), list(width), Array(width).fill(0), list(width).map((v) => v * 1e160)]);
    return { x, g: list(width), u: list(width), c: list(width), o: number(), s: number(),
      e: pick([0, 1e-12, 1e-6, 1e-5, 0.1, 1]), k: 20, d: 1 + Math.floor(random() * 32) };
  });
  it("are the program's in 200 states, and refusals are its words", () =>
    withPage(async (tab) => {
      let refused = 0;
      for (const [i, state] of states.entries()) {
        const view = views[i % views.length];
        const hash = Object.entries(state).map(([key, value]) => `${key}=${value}`).join("&");
        await tab.evaluate((to) => (location.hash = to), hash);
        await tab.waitForFunction((x) => document.querySelector("#flow code").textContent.includes(`--input=${x} `), String(state.x));
        const line = await command(tab, view);
        const found = await downloaded(tab, view);
        const expected = native(line);
        if (expected.status === 0 || expected.status === 1) {
          assert.equal(found, expected.stdout, line);
        } else {
          ++refused;
          const { refusal } = JSON.parse(found);
          assert.ok(expected.stderr.includes(refusal.message.split("; accepted")[0]), `${line}\n${refusal.message}\n${expected.stderr}`);
        }
      }
      assert.ok(refused > 5 && refused < 100, `${refused} refusals`);
    }));
});

describe("every view", () => {
  it("flow follows a range by keyboard and by pointer, and a field", () =>
    withPage(async (tab) => {
      const before = await numbers(tab, "flow");
      await tab.focus("#x-0-range");
      await tab.keyboard.press("ArrowUp");
      assert.match(await command(tab, "flow"), /--input=3\.05,4 /);
      const after = await numbers(tab, "flow");
      assert.notDeepEqual(after, before);
      assert.equal(await tab.evaluate(() => document.activeElement.id), "x-0-range");
      await pulled(tab, "#x-1-range", -60);
      assert.match(await command(tab, "flow"), /--input=3\.05,-?0?\.?\d/);
      assert.notDeepEqual(await numbers(tab, "flow"), after);
      await tab.fill("#x-0-number", "12.5");
      assert.match(await command(tab, "flow"), /--input=12\.5,/);
      await tab.fill("#x-0-number", "");
      assert.match(await command(tab, "flow"), /--input=12\.5,/, "what is no number changes nothing");
    }));
  it("flow flashes the figures that change, each time, and no others", () =>
    withPage(async (tab) => {
      const marked = () => tab.locator("#flow .n").evaluateAll((all) => all.map((one) => one.className));
      await tab.focus("#g-0-range");
      await tab.keyboard.press("ArrowUp");
      // Two squares, two of x̂, two of y, m and r: the first gain is a factor of the first y alone.
      assert.deepEqual(await marked(), ["n", "n", "n", "n", "n new", "n", "n", "n"]);
      await tab.keyboard.press("ArrowUp");
      assert.deepEqual(await marked(), ["n", "n", "n", "n", "n again", "n", "n", "n"]);
    }));
  it("flow takes two to eight features", () =>
    withPage(async (tab) => {
      assert.equal(await tab.locator("#narrower").isDisabled(), true);
      for (let i = 0; i < 6; ++i) await tab.click("#wider");
      assert.equal(await tab.locator("#wider").isDisabled(), true);
      assert.equal(await tab.locator("#flow .pull").count(), 16);
      assert.match(await command(tab, "flow"), /--input=3,4,1,1,1,1,1,1 --gain=1\.5,0\.5,1,1,1,1,1,1 /);
    }));
  it("shift: LayerNorm forgets the offset, RMSNorm does not", () =>
    withPage(async (tab) => {
      const [layer, rms] = [await drawn(tab, "#shift-layer svg"), await drawn(tab, "#shift-rms svg")];
      const heights = (picture) => [...picture.match(/<path class="col [^>]*>/)[0].matchAll(/v([\d.]+)/g)].map(([, height]) => Number(height));
      await tab.focus("#o-range");
      for (let i = 0; i < 10; ++i) await tab.keyboard.press("ArrowRight");
      assert.match(await command(tab, "shift"), /--offset=1 /);
      assert.equal(heights(layer).length, 2);
      const close = (a, b) => heights(a).every((one, i) => Math.abs(one - heights(b)[i]) < 0.05);
      assert.ok(close(layer, await drawn(tab, "#shift-layer svg")));
      assert.ok(!close(rms, await drawn(tab, "#shift-rms svg")));
      const box = await boxOf(tab, "#s-range");
      await tab.mouse.click(box.x + 2, box.y + box.height / 2);
      assert.match(await command(tab, "shift"), /--scale=-5 /);
    }));
  it("epsilon: the zero row is refused with the layer's own case and words", () =>
    withPage(async (tab) => {
      await tab.click("#zero-row");
      await tab.focus("#e-range");
      await tab.keyboard.press("Home");
      assert.match(await command(tab, "epsilon"), /--epsilon=0$/);
      assert.equal(await tab.locator("#epsilon .refused").textContent(),
        "ZeroEnergyRow: RMSNorm epsilon is zero but feature row 0 has zero mean square");
      await tab.click("#tiny");
      assert.equal(await tab.locator("#epsilon .refused").count(), 0);
      await tab.click("#times-10");
      assert.match(await command(tab, "epsilon"), /--input=0\.003,0\.004 /);
      const box = await boxOf(tab, "#e-range");
      await tab.mouse.click(box.x + box.width - 2, box.y + box.height / 2);
      assert.match(await command(tab, "epsilon"), /--epsilon=1$/);
    }));
  it("predict: no answer before a guess, and the grades of predict", () =>
    withPage(async (tab) => {
      // [1, 7] has the RMS 5: 0.2 and 1.4, and with the gain 0.2 and 0.7.
      const text = await tab.locator("#predict").innerText();
      assert.doesNotMatch(text, /0\.2|0\.7|0\.19999|0\.69999/);
      await tab.fill("#p-0-number", "0.2");
      await tab.click("#check");
      assert.match(await tab.locator("#predict .wrong").textContent(), /Value 2 is 0\.7, not 0\./);
      await tab.focus("#p-1-range");
      for (let i = 0; i < 70; ++i) await tab.keyboard.press("ArrowUp");
      assert.equal(await tab.locator("#predict .wrong").count(), 0);
      await tab.click("#check");
      assert.match(await tab.locator("#predict .right").textContent(), /^Right\. /);
      await tab.click("#another");
      assert.match(await command(tab, "predict"), /--input=2,-4,4,8 /);
      await pulled(tab, "#p-3-range", 30);
      assert.notEqual(await tab.inputValue("#p-3-number"), "0");
      await tab.fill("#p-0-number", "0");
      await tab.click("#check");
      const answers = join(folder, "answers.json");
      const guess = await Promise.all([0, 1, 2, 3].map((i) => tab.inputValue(`#p-${i}-number`)));
      writeFileSync(answers, JSON.stringify({ output: guess.join(",") }));
      const graded = spawnSync(program, [...(await command(tab, "predict")).split(" ").slice(1), "--answers", answers, "--format", "json"], { encoding: "utf8" });
      const verdict = JSON.parse(graded.stdout).predictions[1];
      assert.equal(verdict.status, "wrong");
      assert.equal(await tab.locator("#predict .wrong").textContent(), `Not yet. ${verdict.explanation}`);
    }));
  it("plane: the point follows pointer and keyboard", () =>
    withPage(async (tab) => {
      const box = await boxOf(tab, "#plane-plot svg");
      await tab.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.25);
      await tab.mouse.down();
      await tab.mouse.move(box.x + box.width * 0.25, box.y + box.height * 0.25, { steps: 5 });
      await tab.mouse.up();
      assert.match(await command(tab, "plane"), /--input=-2\.\d,2\.\d /);
      await tab.focus("#plane-x-0-range");
      const before = await numbers(tab, "plane");
      await tab.keyboard.press("End");
      assert.match(await command(tab, "plane"), /--input=10,/);
      assert.notDeepEqual(await numbers(tab, "plane"), before);
    }));
  it("steps: values forward, adjoints backward, each gradient beside its difference", () =>
    withPage(async (tab) => {
      assert.equal((await numbers(tab, "steps")).length, 1);
      await tab.focus("#on");
      for (let i = 0; i < 10; ++i) await tab.keyboard.press("Enter");
      assert.equal(await tab.locator("#steps .value").count(), 10);
      assert.equal(await tab.locator("#steps .adjoint").count(), 0);
      await tab.focus("#k-range");
      await tab.keyboard.press("End");
      assert.equal(await tab.locator("#steps .adjoint").count(), 10);
      assert.equal(await tab.locator("#steps tbody td", { hasText: "yes" }).count(), 4);
      assert.equal(await tab.locator("#steps [aria-current=step] code").textContent(), "x");
      await tab.click("#back");
      assert.equal(await tab.locator("#steps .adjoint").count(), 9);
    }));
  it("batch: only BatchNorm moves with the companion", () =>
    withPage(async (tab) => {
      const norms = async () => Promise.all([2, 3, 4].map((i) => tab.locator("#batch .chart svg").nth(i).locator("desc").textContent()));
      const before = await norms();
      await tab.focus("#c-0-range");
      for (let i = 0; i < 30; ++i) await tab.keyboard.press("ArrowDown");
      const after = await norms();
      assert.notEqual(after[0], before[0]);
      assert.deepEqual(after.slice(1), before.slice(1));
      await pulled(tab, "#c-1-range", -40);
      assert.notEqual((await norms())[0], after[0]);
      assert.deepEqual((await norms()).slice(1), before.slice(1));
    }));
  it("depth: 1 to 32 layers of both wirings", () =>
    withPage(async (tab) => {
      await tab.focus("#d-range");
      await tab.keyboard.press("End");
      assert.match(await tab.locator("#depth figcaption").textContent(), /^After 32 layers/);
      const rows = JSON.parse(native(await command(tab, "depth")).stdout).depth;
      assert.equal(rows.length, 32);
      assert.ok((await numbers(tab, "depth")).includes(rows[31].post_norm_sensitivity.display));
      const box = await boxOf(tab, "#d-range");
      await tab.mouse.click(box.x + 2, box.y + box.height / 2);
      assert.match(await tab.locator("#depth figcaption").textContent(), /^After 1 layer /);
    }));
});

describe("the page", () => {
  it("keeps its state in the address, and Reset empties it", () =>
    withPage(async (tab) => {
      await tab.fill("#x-0-number", "2.5");
      await tab.fill("#o-number", "3");
      await tab.waitForFunction(() => location.hash === "#x=2.5,4&o=3");
      await drawnAll(tab);
      const lines = await Promise.all(views.map((view) => command(tab, view)));
      const address = await tab.evaluate(() => location.hash);
      await withPage(async (other) => {
        assert.deepEqual(await Promise.all(views.map((view) => command(other, view))), lines);
        await other.click("#reset");
        await other.waitForFunction(() => location.hash === "" || location.hash === "#");
        assert.match(await command(other, "flow"), /--input=3,4 /);
      }, { hash: address });
    }));
  // The page writes the address a moment after a change; the moment is held here until the address is another one.
  it("does not overwrite an address that came meanwhile", () =>
    withPage(async (tab) => {
      await tab.evaluate(() => {
        const late = [];
        const real = window.setTimeout;
        window.setTimeout = (run, delay, ...rest) => (delay === 150 ? late.push(run) : real(run, delay, ...rest));
        document.getElementById("reset").click();
        location.hash = "x=5,6";
        for (const run of late) run();
        window.setTimeout = real;
        if (!late.length) throw new Error("the page wrote no address");
      });
      await tab.waitForFunction(() => document.querySelector("#flow code").textContent.includes("--input=5,6 "));
      await tab.fill("#x-0-number", "2.5");
      await tab.waitForFunction(() => location.hash === "#x=2.5,6");
    }));
  it("takes what is not a state for the beginning", () =>
    withPage(async (tab) => {
      assert.match(await command(tab, "flow"), /--input=3,4 --gain=1\.5,0\.5 .*--epsilon=0\.00001$/);
    }, { hash: "#x=1&g=a,b&e=NaN&k=99&d=-1&q=7&zzz=%00&x=1,2,3,4,5,6,7,8,9" }));
  it("copies a command, and says so once and politely", () =>
    withPage(async (tab) => {
      await tab.locator("#flow .tools button").first().click();
      await tab.waitForFunction(() => document.getElementById("said").textContent === "Command copied");
      assert.equal(await tab.evaluate(() => getSelection().toString()), await command(tab, "flow"));
      assert.equal(await tab.locator("[aria-live], [role=status], [role=alert]").count(), 1);
      await tab.focus("#x-0-range");
      await tab.keyboard.press("ArrowUp");
      await tab.waitForFunction(() => document.getElementById("said").textContent.startsWith("y is "));
    }));
  for (const [width, colorScheme] of [[320, "light"], [390, "dark"], [768, "light"], [1440, "dark"]]) {
    it(`keeps layout, contrast and targets at ${width} px, ${colorScheme}`, () =>
      withPage(async (tab) => {
        for (const preset of [0, 1]) {
          await tab.locator(".presets button").nth(preset).click();
          assert.deepEqual(await checks.layoutFaults(tab), []);
          assert.deepEqual(await checks.axeFaults(tab), []);
          const small = await tab.evaluate(() => [...document.querySelectorAll("#live button, #live input")]
            .map((one) => [one.id, one.getBoundingClientRect()])
            .filter(([, box]) => box.width < 24 || box.height < 24).map(([id]) => id));
          assert.deepEqual(small, []);
        }
        assert.deepEqual(await checks.motionFaults(tab), []);
      }, { width, colorScheme, hash: "#k=20" }));
  }
  it("is reached by Tab in its order, all of it", () =>
    withPage(async (tab) => assert.deepEqual(await checks.keyboardFaults(tab), [])));
  it("prints without controls, as wide as the sheet with eight features too", () =>
    withPage(async (tab) => {
      await tab.emulateMedia({ media: "print" });
      assert.equal(await tab.locator(".tools").first().isVisible(), false);
      assert.deepEqual(await checks.layoutFaults(tab), []);
      const overflowing = await tab.locator("#flow-numbers").evaluate((region) => region.scrollWidth - region.clientWidth);
      assert.equal(overflowing, 0);
      assert.ok((await tab.pdf({ format: "A4" })).length > 0);
    }, { width: 680, hash: "#x=-1.25,2,3,4,-1,-2,-3,-4" }));
  it("prints what it would have drawn a moment later", () =>
    withPage(async (tab) => {
      const lines = await tab.evaluate(() => {
        const field = document.getElementById("x-0-number");
        field.value = 2.5;
        field.dispatchEvent(new Event("input", { bubbles: true }));
        const line = () => document.querySelector("#depth code").textContent;
        const before = line();
        dispatchEvent(new Event("beforeprint"));
        return [before, line()];
      });
      assert.match(lines[0], /--input=3,4 /);
      assert.match(lines[1], /--input=2\.5,4 /);
    }));
  it("keeps bars and text in forced colors", () =>
    withPage(async (tab) => {
      assert.deepEqual(await checks.layoutFaults(tab), []);
      const style = (selector, name) => tab.locator(selector).first().evaluate((one, of) => getComputedStyle(one)[of], name);
      assert.equal(await style("#plane .circle", "fill"), "none", "what lies in the circle is seen");
      assert.notEqual(await style("#shift .ghost", "stroke"), await style("#shift .col", "fill"));
    }, { forcedColors: "active", width: 768 }));
});
