/**
 * A picture of the playground, for who would rather look: data, the guarantee, what was gained, and the curve over budgets.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { build, preview } from "vite";

const configFile = fileURLToPath(new URL("../../page/vite.config.ts", import.meta.url));
const WIDTH = 1100;
/** For machines that are busy with other things. */
const PATIENCE = 120_000;

/** Takes it, in Chromium, of the page as it is now. */
export async function picturePage(path) {
  const outDir = mkdtempSync(join(tmpdir(), "mp-mtl-picture-"));
  const logLevel = "error";
  await build({ configFile, logLevel, build: { outDir } });
  const served = await preview({ configFile, logLevel, build: { outDir }, preview: { port: 0 } });
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const viewport = { width: WIDTH, height: 1000 };
    const context = await browser.newContext({ viewport, reducedMotion: "reduce" });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    await page.goto(served.resolvedUrls.local[0]);
    await page.locator(".verdict").waitFor();
    await page.getByRole("button", { name: "Compute the curve" }).click();
    const done = page.getByRole("button", { name: "Compute again" });
    await done.waitFor();
    // Boxes are measured from the top of what is seen.
    await page.evaluate(() => globalThis.scrollTo(0, 0));
    const from = await page.locator("main fieldset").first().boundingBox();
    const to = await done.boundingBox();
    const y = from.y - 20;
    const clip = { x: 0, y, width: WIDTH, height: to.y - y - 16 };
    await page.screenshot({ path, clip, fullPage: true });
  } finally {
    await browser.close();
    await served.close();
    rmSync(outDir, { recursive: true, force: true });
  }
}
