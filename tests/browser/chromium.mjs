// The browser in which the pages are tested: Debian's Chromium, without a network.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { after, before } from "node:test";
import { chromium } from "playwright-core";
import { watch } from "./checks.mjs";

export const widths = [320, 768, 1440, 2560];

export function launch() {
  return chromium.launch({
    executablePath: process.env.RMSNORM_CHROMIUM || "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

// A browser for all tests of a file; the folder of its pages goes with it.
export function browserOf(folder) {
  let browser;
  before(async () => {
    browser = await launch();
  });
  after(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  // Opens a page as a reader has it and closes it again; console and requests are always watched.
  return async function visit(url, options, use, { hash = "", isNoise = () => true } = {}) {
    const context = await browser.newContext({ reducedMotion: "reduce", ...options });
    try {
      const tab = await context.newPage();
      const noise = watch(tab, url);
      await tab.goto(url + hash);
      await use(tab);
      assert.deepEqual(noise.filter(isNoise), []);
    } finally {
      await context.close();
    }
  };
}
