// node screenshot.mjs PAGE.html PICTURE.png [WIDTH] [light|dark] [HEIGHT]: one look at a page.
import { pathToFileURL } from "node:url";
import { launch } from "./chromium.mjs";

const [page, picture, width = "1440", scheme = "light", height] = process.argv.slice(2);
const browser = await launch();
const tab = await browser.newPage({
  viewport: { width: Number(width), height: Number(height || 900) },
  colorScheme: scheme,
});
await tab.goto(pathToFileURL(page).href);
await tab.screenshot({ path: picture, fullPage: !height });
await browser.close();
