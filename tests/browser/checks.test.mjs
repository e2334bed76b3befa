// Each check of a page finds the fault that it is there for.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import * as checks from "./checks.mjs";
import { launch } from "./chromium.mjs";

let browser;
let context;
before(async () => {
  browser = await launch();
  context = await browser.newContext({ viewport: { width: 400, height: 600 } });
});
after(() => browser.close());

async function faultsOf(check, body, head = "") {
  const tab = await context.newPage();
  await tab.setContent(
    `<!doctype html><html lang="en"><head><title>t</title>${head}</head><body>${body}</body></html>`,
  );
  const faults = await check(tab);
  await tab.close();
  return faults;
}

function finds(check, pattern, body, head) {
  return async () => {
    const faults = await faultsOf(check, body, head);
    assert.ok(faults.some((fault) => pattern.test(fault)), `${pattern} in ${JSON.stringify(faults)}`);
  };
}

async function noiseOf(body) {
  const tab = await context.newPage();
  const faults = checks.watch(tab, "about:blank");
  await tab.setContent(body, { waitUntil: "load" });
  await tab.close();
  return faults;
}

const json = (value) => `<script type="application/json" id="evidence">${JSON.stringify(value)}</script>`;

describe("a check finds", () => {
  it("a message in the console", async () => {
    assert.match((await noiseOf("<script>console.log('x')</script>"))[0], /console log: x/);
  });
  it("an error in a script", async () => {
    assert.match((await noiseOf("<script>throw new Error('x')</script>"))[0], /error: x/);
  });
  it("a request", async () => {
    const faults = await noiseOf('<img src="http://127.0.0.1:9/x.png" alt="x">');
    assert.match(faults.join(), /request: http:\/\/127/);
  });
  it("invalid HTML", async () => {
    const faults = await checks.htmlFaults("<!doctype html><html lang='en'><body><p><div></p>");
    assert.ok(faults.length > 0);
  });
  it("what axe calls a violation",
    finds(checks.axeFaults, /image-alt/, '<main><h1>x</h1><img src="data:,"></main>'));
  it("low contrast",
    finds(checks.axeFaults, /color-contrast/, '<main><h1 style="color:#bbb">pale</h1></main>'));
  it("a page that is too wide",
    finds(checks.layoutFaults, /the page is/, '<div style="width:500px">wide</div>'));
  it("text that is cut off",
    finds(checks.layoutFaults, /cut off/,
      '<div style="width:40px;overflow:hidden;white-space:nowrap">much too long</div>'));
  it("text over text",
    finds(checks.layoutFaults, /overlap/,
      '<p>first words</p><p style="margin-top:-1.8em"><b>other words</b></p>'));
  it("text outside its card",
    finds(checks.layoutFaults, /outside its card/,
      '<div class="card" style="width:40px;white-space:nowrap">much too long</div>'));
  it("a figure that is not the JSON's",
    finds(checks.figureFaults, /a: shown 1.5, JSON 1.50/,
      '<span data-path="a">1.5</span>' + json({ a: { value: 1.5, display: "1.50" } })));
  it("a figure of a tensor that is not the JSON's",
    finds(checks.figureFaults, /t\/1: shown 3.0, JSON 4.0/,
      '<span data-path="t/1">3.0</span>' + json({ t: { shape: [2], display: ["3.0", "4.0"] } })));
  it("a figure that the JSON does not have",
    finds(checks.figureFaults, /no such figure: evidence b/,
      '<span data-path="b">1.5</span>' + json({ a: 1 })));
  it("a figure beyond a tensor that is not truncated",
    finds(checks.figureFaults, /no such figure/,
      '<span data-path="t/2">3.0</span>' + json({ t: { shape: [2], display: ["3.0", "4.0"] } })));
  it("a number without evidence",
    finds(checks.figureFaults, /without evidence: about 0.8485/, "<p>about 0.8485</p>" + json({})));
  it("a page without figures", finds(checks.figureFaults, /only 0 figures/, json({})));
  it("pale text in a drawing",
    finds(checks.drawingFaults, /contrast/,
      '<svg viewBox="0 0 100 20"><rect width="100" height="20" fill="#fff"></rect>' +
        '<text y="15" fill="#aaa">pale</text></svg>',
      "<style>html{background:#fff}</style>"));
  it("a focus that cannot be seen",
    finds(checks.keyboardFaults, /cannot be seen/, '<a href="#x" style="outline:none">x</a>'));
  it("an order of focus that is not the page's",
    finds(checks.keyboardFaults, /stop 0: found 1/,
      '<a href="#x">x</a><a href="#y" tabindex="1">y</a>'));
  it("two main headings", finds(checks.structureFaults, /2 of h1/, "<h1>a</h1><h1>b</h1>"));
  it("a skipped level", finds(checks.structureFaults, /level 3 after 1/, "<h1>a</h1><h3>b</h3>"));
  it("a table's head without scope",
    finds(checks.structureFaults, /no scope/, "<table><tr><th>a</th></tr></table>"));
  it("a drawing without words",
    finds(checks.structureFaults, /drawing without words/, '<svg role="img"></svg>'));
  it("a link to nowhere", finds(checks.structureFaults, /no target/, '<a href="#x">x</a>'));
  it("a lost border",
    finds(checks.borderFaults, /dashed border: found solid/,
      '<div class="card dashed" style="border:3px solid">x</div>'));
  it("a card that paper may cut", finds(checks.printFaults, /may be cut/, '<div class="card">x</div>'));
  it("a card higher than a sheet",
    finds(checks.printFaults, /higher than a sheet/,
      '<div class="card" style="break-inside:avoid;height:2000px">x</div>'));
  it("a table wider than a sheet",
    finds(checks.printFaults, /wider than a sheet/,
      '<div class="region" aria-label="x"><div style="width:900px">x</div></div>'));
  it("a movement", finds(checks.motionFaults, /moves: P/, '<p style="transition:color 1s">x</p>'));
});
