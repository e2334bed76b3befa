// node explore_time.mjs EXPLORE.html…: how long an explorer takes from its address until its first
// screen is drawn and can be used, and how long one change of one of eight features takes with all that
// it changes in sight, drawing included. Times are the processor's on the page's thread, so that a busy
// machine matters less, and several pages take turns, so that it matters to all of them alike.
import { pathToFileURL } from "node:url";
import { launch } from "./chromium.mjs";

const browser = await launch();
const sorted = (list) => list.toSorted((a, b) => a - b);
const summary = (list) => `median ${sorted(list)[list.length >> 1].toFixed(1)} ms, least ${sorted(list)[0].toFixed(1)} ms`;

async function spent(metrics) {
  const { metrics: list } = await metrics.send("Performance.getMetrics");
  return 1000 * list.find(({ name }) => name === "TaskDuration").value;
}

// Speaks once the last view of the first screen has been painted.
function announce() {
  new MutationObserver((_, observer) => {
    if (!document.querySelector("#epsilon figcaption")) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => console.log("usable")));
  }).observe(document, { childList: true, subtree: true });
}

async function measure(page, times) {
  const tab = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const metrics = await tab.context().newCDPSession(tab);
  await metrics.send("Performance.enable", { timeDomain: "threadTicks" });
  await tab.addInitScript(announce);
  const empty = await spent(metrics);
  const usable = tab.waitForEvent("console", (message) => message.text() === "usable");
  await tab.goto(`${pathToFileURL(page).href}#x=1,2,3,4,-1,-2,-3,-4`, { waitUntil: "commit" });
  await usable;
  times.starts.push((await spent(metrics)) - empty);
  await tab.waitForSelector("#depth-plot svg");
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
    times.updates.push(((await spent(metrics)) - before) / 25);
  }
  await tab.close();
}

const pages = process.argv.slice(2).map((page) => ({ page, starts: [], updates: [] }));
for (let i = 0; i < 5; ++i) for (const times of pages) await measure(times.page, times);
for (const { page, starts, updates } of pages) {
  console.log(`${page}: first interaction: ${summary(starts)}; an update: ${summary(updates)}`);
}
await browser.close();
