// node explore_time.mjs EXPLORE.html: how long the explorer takes until it can be used, and how long
// one change of one of eight features takes with all that it changes in sight, drawing included. Times
// are the processor's on the page's thread, so that a busy machine matters less.
import { pathToFileURL } from "node:url";
import { launch } from "./chromium.mjs";

const url = pathToFileURL(process.argv[2]).href;
const browser = await launch();
const sorted = (list) => list.toSorted((a, b) => a - b);
const summary = (list) => `median ${sorted(list)[list.length >> 1].toFixed(1)} ms, least ${sorted(list)[0].toFixed(1)} ms`;

async function spent(metrics) {
  const { metrics: list } = await metrics.send("Performance.getMetrics");
  return 1000 * list.find(({ name }) => name === "TaskDuration").value;
}

const starts = [];
const updates = [];
for (let i = 0; i < 5; ++i) {
  const tab = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const metrics = await tab.context().newCDPSession(tab);
  await metrics.send("Performance.enable", { timeDomain: "threadTicks" });
  const empty = await spent(metrics);
  await tab.goto(`${url}#x=1,2,3,4,-1,-2,-3,-4`);
  await tab.waitForSelector("#depth-plot svg");
  starts.push((await spent(metrics)) - empty);
  for (let round = 0; round < 4; ++round) {
    const before = await spent(metrics);
    await tab.evaluate((k) => {
      const range = document.getElementById("x-0-range");
      for (let i = 0; i < 25; ++i) {
        range.value = (25 * k + i) / 100;
        range.dispatchEvent(new Event("input", { bubbles: true }));
        document.body.getBoundingClientRect();
      }
    }, round);
    updates.push(((await spent(metrics)) - before) / 25);
  }
  await tab.close();
}
console.log(`first interaction: ${summary(starts)}`);
console.log(`an update: ${summary(updates)}`);
await browser.close();
