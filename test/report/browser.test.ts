import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import { describe, expect } from "vitest";
import { heatMapFigure, reportHtml } from "../../src/report/index.js";
import { thoroughTest } from "../thorough.js";

const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

describe.skipIf(!existsSync(executablePath))("in Chromium (skipped where it is absent)", () => {
  thoroughTest("a report opens without errors and without requests", async () => {
    const figure = heatMapFigure({
      name: "maps",
      title: "Maps",
      caption: "Caption",
      alt: "Alt",
      command: "mp-mtl report",
      rowTitle: "task",
      columnTitle: "feature",
      maps: [{ title: "before", values: [1, -2, 3, 4], rows: 2, columns: 2 }],
    });
    const html = reportHtml({
      title: "Report",
      conclusion: ["It works"],
      notes: ["note"],
      command: "mp-mtl report",
      tables: [],
      figures: [figure],
    });
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    try {
      const page = await browser.newPage();
      const problems: string[] = [];
      page.on("console", (message) => problems.push(message.text()));
      page.on("pageerror", (error) => problems.push(error.message));
      page.on("request", (request) => {
        if (!request.url().startsWith("data:")) problems.push(request.url());
      });
      await page.setContent(html);
      // One of the two drawings, for screens and for phones, is there to be seen.
      const drawing = page.getByRole("img", { name: "Alt" });
      const box = await drawing.boundingBox();
      expect(box!.width).toBeGreaterThan(200);
      expect(box!.height).toBeGreaterThan(100);
      expect(await drawing.count()).toBe(1);
      await page.setViewportSize({ width: 360, height: 700 });
      expect(await drawing.count()).toBe(1);
      expect((await drawing.boundingBox())!.width).toBeLessThanOrEqual(340);
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
