// The browser in which the pages are tested: Debian's Chromium, without a network.
import { chromium } from "playwright-core";

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
