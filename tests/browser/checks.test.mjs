// Each check of a page finds the fault that it is there for.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import * as checks from "./checks.mjs";
import { barFaults, drawingFaults, forcedFaults } from "./drawings.mjs";
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
  it("a figure that is read as another number",
    finds(checks.figureFaults, /a: read as 10−4/,
      '<data data-path="a" value="0.00001"><span>10<sup>−4</sup></span></data>' +
        json({ a: { value: 1e-5, display: "0.00001", bits: "3ee4f8b588e368f1" } })));
  it("a rounded figure that is read as an exact one",
    finds(checks.figureFaults, /a: read as 0.3,/,
      '<data data-path="a" value="0.333"><span>0.3</span></data>' +
        json({ a: { value: 1 / 3, display: "0.333", bits: "3fd5555555555555" } })));
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
    finds(drawingFaults, /contrast/,
      '<svg viewBox="0 0 100 20"><rect width="100" height="20" fill="#fff"></rect>' +
        '<text y="15" fill="#aaa">pale</text></svg>',
      "<style>html{background:#fff}</style>"));
  it("a pale bar",
    finds(drawingFaults, /contrast 1\.\d+: minus/,
      '<svg class="bar" viewBox="0 0 100 8"><rect class="minus" width="9" height="8" fill="#ddd"></rect></svg>',
      "<style>html{background:#fff}</style>"));
  it("a grid that is louder than the data",
    finds(drawingFaults, /louder/,
      '<svg class="plot"><path class="grid" stroke="#000" d="M0 0H9"></path>' +
        '<path class="curve" stroke="#666" d="M0 9H9"></path></svg>',
      "<style>html{background:#fff}</style>"));
  const bars = (first, second, zero = 0, axis = "") =>
    `<div class="card" style="width:200px">${axis}` +
    [[1, first], [2, second]].map(([value, width], i) =>
      `<div><i data-path="v/${value - 1}">${value}</i><svg class="bar" width="200" height="8" viewBox="0 0 100 8" ` +
      `preserveAspectRatio="none"><rect class="plus" x="${i * zero}" width="${width}" height="8"></rect>` +
      `<rect class="zero" x="${i * zero}" width="0.6" height="8"></rect></svg></div>`).join("") +
    "</div>" + json({ v: { shape: [2], values: [1, 2], display: ["1", "2"] } });
  it("bars of two units", finds(barFaults, /1 is 120\.0 px, not 80\.0/, bars(60, 80)));
  it("bars of two zeros", finds(barFaults, /two zeros/, bars(20, 40, 10)));
  it("an axis that says what its bars do not show",
    finds(barFaults, /the axis ends at 2.5/,
      bars(40, 80, 0, '<div class="axis"><span>0</span><span>2</span></div>')));
  it("no fault in bars of one zero and one unit", async () => {
    assert.deepEqual(await faultsOf(barFaults, bars(50, 100, 0, '<div class="axis"><span>0</span><span>2</span></div>')), []);
  });
  it("a stop at a region that does not scroll",
    finds(checks.keyboardFaults, /found -1/,
      '<div role="region" tabindex="0" aria-label="x" style="overflow-x:auto">x</div><a href="#x">x</a>'));
  it("no fault in a region that scrolls and takes the keyboard by itself", async () => {
    const wide = '<div role="region" aria-label="x" style="overflow-x:auto"><p style="width:900px">x</p></div>';
    const seen = "<style>:focus-visible { outline: 3px solid }</style>";
    assert.deepEqual(await faultsOf(checks.keyboardFaults, wide + '<a href="#x">x</a>', seen), []);
  });
  it("a color of its own among forced ones", async () => {
    const forced = await browser.newContext({ forcedColors: "active" });
    const tab = await forced.newPage();
    await tab.setContent('<svg><rect class="plus" fill="#1d5c96" width="9" height="8"></rect></svg>');
    assert.match((await forcedFaults(tab)).join(), /its own color: plus/);
    await forced.close();
  });
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
  it("a first card as wide as a sheet",
    finds(checks.printFaults, /as wide as the sheet/,
      '<div class="trio"><div class="card" style="width:600px">x</div></div>'));
  it("a table that is cut behind its first row",
    finds(checks.printFaults, /behind its first row/, "<table><tbody><tr><td>x</td></tr></tbody></table>"));
  it("an answer on paper",
    finds(checks.printFaults, /an answer on paper/,
      '<ol class="questions"><li><details open><summary>Answer</summary><p>42</p></details></li></ol>'));
  it("a card that paper may cut", finds(checks.printFaults, /may be cut/, '<div class="card">x</div>'));
  it("a card higher than a sheet",
    finds(checks.printFaults, /higher than a sheet/,
      '<div class="card" style="break-inside:avoid;height:2000px">x</div>'));
  it("a table wider than a sheet",
    finds(checks.printFaults, /wider than a sheet/,
      '<div class="region" aria-label="x"><div style="width:900px">x</div></div>'));
  it("a movement", finds(checks.motionFaults, /moves: P/, '<p style="transition:color 1s">x</p>'));
});
