// node explore_time.mjs EXPLORE.html: how long the explorer takes until it can be used, and how long
// one change of one of eight features takes with everything that follows from it, drawing included.
import { pathToFileURL } from "node:url";
import { launch } from "./chromium.mjs";

const url = pathToFileURL(process.argv[2]).href;
const browser = await launch();
const sorted = (list) => list.toSorted((a, b) => a - b);
const summary = (list) => `median ${sorted(list)[list.length >> 1].toFixed(1)} ms, least ${sorted(list)[0].toFixed(1)} ms`;

const starts = [];
let updates = [];
for (let i = 0; i < 5; ++i) {
  const tab = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await tab.addInitScript(() => {
    new MutationObserver((_, observer) => {
      const live = document.getElementById("live");
      if (!live || live.hidden || !document.querySelector("#depth-plot svg")) return;
      window.started = performance.now();
      observer.disconnect();
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });
  await tab.goto(`${url}#x=1,2,3,4,-1,-2,-3,-4`);
  await tab.waitForFunction(() => window.started);
  starts.push(await tab.evaluate(() => window.started));
  updates = updates.concat(await tab.evaluate(() => {
    const range = document.getElementById("x-0-range");
    return Array.from({ length: 100 }, (_, k) => {
      range.value = k / 100;
      const before = performance.now();
      range.dispatchEvent(new Event("input", { bubbles: true }));
      document.body.getBoundingClientRect();
      return performance.now() - before;
    });
  }));
  await tab.close();
}
console.log(`first interaction: ${summary(starts)}`);
console.log(`an update: ${summary(updates)}`);
await browser.close();
