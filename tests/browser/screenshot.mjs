// node screenshot.mjs PAGE.html PICTURE.png [WIDTH] [light|dark] [HEIGHT] [SELECTOR]: one look at a
// page; with a height, at as much of it from the selected element on.
import { pathToFileURL } from "node:url";
import { launch } from "./chromium.mjs";

const [page, picture, width = "1440", scheme = "light", height, selector] = process.argv.slice(2);
const browser = await launch();
const tab = await browser.newPage({
  viewport: { width: Number(width), height: Number(height || 900) },
  colorScheme: scheme,
  reducedMotion: "reduce",
});
await tab.goto(pathToFileURL(page).href);
if (selector) await tab.evaluate((s) => document.querySelector(s).scrollIntoView(), selector);
await tab.screenshot({ path: picture, fullPage: !height });
await browser.close();
