// Every page that the program makes, in a real browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import * as checks from "./checks.mjs";
import { barFaults, drawingFaults, forcedFaults } from "./drawings.mjs";
import { browserOf, widths } from "./chromium.mjs";

const program = process.env.RMSNORM_FIXTURE;
assert.ok(program, "RMSNORM_FIXTURE names the program");

const folder = mkdtempSync(join(tmpdir(), "rmsnorm-pages-"));
const run = (...words) => execFileSync(program, words, { encoding: "utf8", maxBuffer: 1 << 28 });

run("site", folder);
const written = () => readdirSync(folder).filter((name) => name.endsWith(".html"));
const sitePages = written();
// The explorer has tests of its own.
const isTestedHere = (name) => name !== "explore.html";
const fixturePages = sitePages.filter(isTestedHere);
const experiments = run("list")
  .split("\n\n")
  .slice(1)
  .filter((group) => !group.startsWith("Reports"))
  .flatMap((group) => group.split("\n").slice(1))
  .map((line) => line.trim().split(/\s+/)[0])
  .filter((name) => name && /format:[^(]*html/.test(run(name, "--help")));
for (const name of experiments) {
  run(name, "--format", "html", "-o", join(folder, `experiment-${name}.html`));
}

// The reader's own values, at their worst.
const many = Array.from({ length: 300 }, (_, i) => (i % 7) - 3 + i / 1000).join(",");
const hostile = {
  "experiment-long.html": ["forward", "--input", many],
  "experiment-long-full.html": ["forward", "--input", many, "--full"],
  "experiment-wide-rows.html": ["batch", "--input", many, "--shape", "10,30"],
  "experiment-script.html": ["parameters", "--gain-name", "</script><script>alert(1)</script>"],
  "experiment-right-to-left.html": ["parameters", "--gain-name", "\u05e9\u05db\u05d1\u05d4.\u05d4\u05d2\u05d1\u05e8"],
  "experiment-long-name.html": ["parameters", "--gain-name", "x".repeat(200)],
  "experiment-huge.html": ["forward", "--input=-1e150,1e150"],
};
for (const [name, words] of Object.entries(hostile)) {
  run(...words, "--format", "html", "-o", join(folder, name));
}
const pages = written().filter(isTestedHere);

const visit = browserOf(folder);
const withPage = (name, options, use) => visit(pathToFileURL(join(folder, name)).href, options, use);

const screen = (width) => ({ viewport: { width, height: 900 } });
const none = (faults, where) => assert.deepEqual(faults, [], where);

// With the answers open, and with the digits of the evidence.
const states = {
  open: (tab) => tab.evaluate(() => document.querySelectorAll("details").forEach((d) => (d.open = true))),
  digits: (tab) => tab.evaluate(() => document.querySelector("#digits").click()),
};

describe("every page", { concurrency: 2 }, () => {
  it("there is one for each fixture, each experiment and the index", () => {
    assert.ok(fixturePages.includes("index.html"));
    assert.ok(fixturePages.length >= 2);
    assert.ok(experiments.length >= 10);
  });
  for (const name of pages) {
    const experiment = name.startsWith("experiment-");
    it(`${name} is small and valid, and shows what its JSON holds`, async () => {
      // With --full a page is as large as its reader wants it.
      if (!name.includes("full")) assert.ok(statSync(join(folder, name)).size < 250 * 1024);
      none(await checks.htmlFaults(readFileSync(join(folder, name), "utf8")));
      await withPage(name, screen(1440), async (tab) => {
        none(await checks.figureFaults(tab, { least: name === "index.html" ? 0 : 1 }));
        none(await checks.structureFaults(tab));
        none(await checks.keyboardFaults(tab));
        none(await checks.motionFaults(tab));
      });
    });
    it(`${name} keeps its layout at every width, its contrast and its borders`, async () => {
      for (const width of experiment ? [320, 1440] : widths) {
        for (const colorScheme of experiment ? ["light"] : ["light", "dark"]) {
          await withPage(name, { ...screen(width), colorScheme }, async (tab) => {
            none(await checks.layoutFaults(tab), `${width} px ${colorScheme}`);
            none(await drawingFaults(tab), `${width} px ${colorScheme}`);
            none(await barFaults(tab), `${width} px ${colorScheme}`);
            none(await checks.borderFaults(tab), `${width} px ${colorScheme}`);
            const narrow = width === 320 && colorScheme === "light";
            const wide = width === 1440 && (colorScheme === "dark" || !experiment);
            if (narrow || wide) none(await checks.axeFaults(tab), `${width} px ${colorScheme}`);
            if (colorScheme !== "light" || ![320, 1440].includes(width) || name === "index.html") return;
            for (const [state, reach] of Object.entries(states)) {
              await reach(tab);
              none(await checks.layoutFaults(tab), `${width} px ${state}`);
              none(await barFaults(tab), `${width} px ${state}`);
            }
          });
        }
      }
    });
    if (experiment) continue;
    it(`${name} works in forced colors and on paper`, async () => {
      await withPage(name, { ...screen(768), forcedColors: "active" }, async (tab) => {
        none(await checks.layoutFaults(tab));
        none(await checks.borderFaults(tab));
        none(await drawingFaults(tab));
        none(await forcedFaults(tab));
      });
      // The width of A4 less 15 mm on each side, at 96 px an inch.
      await withPage(name, screen(680), async (tab) => {
        await tab.emulateMedia({ media: "print" });
        none(await checks.printFaults(tab));
        none(await checks.layoutFaults(tab));
        none(await barFaults(tab));
        assert.ok((await tab.pdf({ format: "A4" })).length > 0);
      });
    });
    it(`${name} leads to every other page beside it`, async () => {
      await withPage(name, screen(768), async (tab) => {
        const links = await tab.evaluate(() =>
          [...document.querySelectorAll("a[href$='.html']")].map((link) => link.getAttribute("href")));
        assert.deepEqual(links.filter((link) => !written().includes(link)), []);
        const others = sitePages.filter((page) => page !== name);
        assert.deepEqual(others.filter((page) => !links.includes(page)), []);
      });
    });
    if (name === "index.html") continue;
    it(`${name} shows the digits of every figure where its reader wants them`, async () => {
      await withPage(name, screen(768), async (tab) => {
        const shown = () =>
          tab.evaluate(() =>
            [...document.querySelectorAll("data")].filter((figure) => {
              const read = getComputedStyle(figure.firstElementChild).display !== "none";
              const digits = getComputedStyle(figure, "::after").content === `"${figure.value}"`;
              return read === digits || digits !== document.querySelector("#digits").checked;
            }).length);
        assert.equal(await shown(), 0);
        await tab.focus("#digits");
        await tab.keyboard.press("Space");
        assert.equal(await shown(), 0);
      });
    });
    it(`${name} gives its evidence as a file, the same bytes as --format json`, async () => {
      await withPage(name, screen(1440), async (tab) => {
        const waiting = tab.waitForEvent("download");
        await tab.click("a.download");
        const download = await waiting;
        const path = join(folder, "download.json");
        await download.saveAs(path);
        assert.equal(readFileSync(path, "utf8"), run("report", name.slice(0, -5), "--format", "json"));
      });
    });
  }
});

describe("the exhibit's choice", () => {
  const shown = (tab) =>
    Promise.all([1, 2, 3].map((i) => tab.locator(`.case-${i}`).isVisible()));
  for (const javaScriptEnabled of [true, false]) {
    it(`works by keyboard ${javaScriptEnabled ? "with" : "without"} scripts`, async () => {
      const options = { ...screen(768), javaScriptEnabled };
      await withPage("exhibit-rmsnorm.html", options, async (tab) => {
        assert.deepEqual(await shown(tab), [true, false, false]);
        await tab.focus("#choose-1");
        await tab.keyboard.press("ArrowRight");
        assert.deepEqual(await shown(tab), [false, true, false]);
        await tab.keyboard.press("ArrowDown");
        assert.deepEqual(await shown(tab), [false, false, true]);
        await tab.keyboard.press("ArrowRight");
        assert.deepEqual(await shown(tab), [true, false, false]);
      });
    });
  }
  it("keeps the layout and the contrast whatever is chosen", async () => {
    for (const width of widths) {
      await withPage("exhibit-rmsnorm.html", screen(width), async (tab) => {
        for (const choice of ["#choose-2", "#choose-3"]) {
          await tab.check(choice, { force: true });
          none(await checks.layoutFaults(tab), `${choice} at ${width} px`);
          if (width === 1440) none(await checks.axeFaults(tab), choice);
        }
      });
    }
  });
  it("stays in view on a phone, where each feature has its three bars", async () => {
    await withPage("exhibit-rmsnorm.html", { viewport: { width: 390, height: 844 } }, async (tab) => {
      const rows = tab.locator(".case-1 .by-feature ol > li");
      assert.equal(await rows.count(), 8);
      await rows.nth(7).scrollIntoViewIfNeeded();
      for (const choice of [2, 3, 1]) {
        const label = tab.locator(`label[for=choose-${choice}]`);
        const box = await label.boundingBox();
        assert.ok(box.y >= 0 && box.y + box.height <= 844, `choice ${choice} is at ${box.y}`);
        await label.click();
        assert.ok(await tab.locator(`.case-${choice} .by-feature ol > li`).nth(7).isVisible());
        none(await barFaults(tab), `choice ${choice}`);
      }
    });
  });
  it("keeps the bars' unit whatever is chosen", async () => {
    await withPage("exhibit-rmsnorm.html", screen(1440), async (tab) => {
      const units = new Set();
      for (const choice of [1, 2, 3]) {
        await tab.check(`#choose-${choice}`, { force: true });
        none(await barFaults(tab), `choice ${choice}`);
        for (const ends of await tab.locator(`.case-${choice} .card .axis`).allTextContents()) units.add(ends);
      }
      // That of the inputs and that of the outputs.
      assert.equal(units.size, 2);
    });
  });
  it("shows all three cases on paper", async () => {
    await withPage("exhibit-rmsnorm.html", screen(680), async (tab) => {
      await tab.emulateMedia({ media: "print" });
      assert.deepEqual(await shown(tab), [true, true, true]);
    });
  });
});

describe("a certified page", () => {
  it("says what each digit is worth, on a phone and on a screen", async () => {
    run("report", "--certify", "--format", "html", "-o", join(folder, "certified.html"));
    for (const width of [390, 1440]) {
      await withPage("certified.html", screen(width), async (tab) => {
        assert.match(await tab.locator("body").innerText(), /certified/);
        none(await checks.layoutFaults(tab), `${width} px`);
        none(await checks.axeFaults(tab), `${width} px`);
        const [inside, whole] = await tab.evaluate(() => [innerWidth, document.documentElement.scrollWidth]);
        assert.ok(whole <= inside, `${whole} px on ${inside} px`);
      });
    }
  });
});
