/** The notebook of the examples, beside the one-file build, in a browser. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { expect, test } from "vitest";
import { root } from "../package/packed.js";
import { LEFT_OUT, thorough } from "../thorough.js";
import { executablePath, hasChromium, serve } from "./open-page.js";

test.skipIf(!hasChromium || !thorough)(
  `the notebook's cells have values, and those that depend on a changed one run again ${LEFT_OUT}`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "mp-mtl-notebook-"));
    cpSync(join(root, "examples/notebook/index.html"), join(folder, "index.html"));
    cpSync(join(root, "dist/mp-mtl.browser.js"), join(folder, "mp-mtl.browser.js"));
    const site = await serve(folder);
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    try {
      const page = await browser.newPage();
      await page.goto(site.address);
      const outputs = page.locator("output");
      const settled = () =>
        page.waitForFunction(() =>
          [...document.querySelectorAll("output")].every(
            ({ textContent }) => textContent !== "" && textContent !== "…",
          ),
        );
      await settled();
      expect(await page.locator("output.wrong").count()).toBe(0);
      expect(await outputs.allTextContents()).toContain("own = 2 tasks, 4 rows, features: age");
      const alone = await outputs.nth(2).textContent();
      await page.getByLabel("cell epsilon").fill("epsilon = 2");
      await page.getByLabel("cell epsilon").blur();
      await page.getByText(/^model = .*joint \(2, 0\.00001\)-DP/).waitFor();
      await settled();
      expect(await outputs.nth(2).textContent()).toBe(alone);
      await page.getByLabel("cell epsilon").fill("epsilon = -2");
      await page.getByLabel("cell epsilon").blur();
      await page.getByText(/^model: .*epsilon/).waitFor();
    } finally {
      await browser.close();
      site.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  120_000,
);
