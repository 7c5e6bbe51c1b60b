import { existsSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { chromium } from "playwright-core";
import { describe, expect } from "vitest";
import { runCell } from "../../src/cli/evaluation/cells/run-cell.js";
import { evaluationReport } from "../../src/cli/evaluation/findings/report.js";
import { ResultsFile } from "../../src/cli/evaluation/cells/results-file.js";
import { reportHtml } from "../../src/report/index.js";
import { temporaryFolder } from "../temporary.js";
import { thoroughTest } from "../thorough.js";

const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const methods = ["single-task", "trace-norm", "mp-low-rank"];

async function html(): Promise<string> {
  const directory = temporaryFolder();
  const file = await ResultsFile.open(join(directory, "results.jsonl"), {
    simulate: "low-rank",
    methods,
    epsilon: [1, 10],
    replicates: 2,
    tune: "none",
    settings: {},
  });
  for (const method of methods) {
    for (const epsilon of method === "mp-low-rank" ? [1, 10] : [null]) {
      for (const replicate of [0, 1]) {
        const result = await runCell({
          method,
          epsilon,
          replicate,
          seed: "b",
          normalize: "rows",
          traced: replicate === 0,
          data: { kind: "simulation", options: { pattern: "low-rank", tasks: 8, features: 4 } },
          options: method === "mp-low-rank" ? { rounds: 5, clip: 10 } : {},
          tuning: { kind: "none" },
        });
        await file.append(result);
      }
    }
  }
  return reportHtml(await evaluationReport(directory));
}

describe.skipIf(!existsSync(executablePath))("in Chromium (skipped where it is absent)", () => {
  thoroughTest("an evaluation's report opens without errors, on paper too", async () => {
    const text = await html();
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    try {
      const page = await browser.newPage({ viewport: { width: 1100, height: 900 } });
      const problems: string[] = [];
      page.on("console", (message) => problems.push(message.text()));
      page.on("pageerror", (error) => problems.push(error.message));
      page.on("request", (request) => {
        if (!request.url().startsWith("data:")) problems.push(request.url());
      });
      await page.setContent(text);
      const names = ["privacy-accuracy-nmse", "noise-to-signal", "eps-over-rounds"];
      for (const name of [...names, "models", "task-relationships"]) {
        const box = await page.locator(`#${name} figure svg:visible`).first().boundingBox();
        expect(box!.width, name).toBeGreaterThan(300);
        expect(box!.x + box!.width, name).toBeLessThanOrEqual(1100);
      }
      const overflow = () =>
        page.evaluate(
          "document.documentElement.scrollWidth - document.documentElement.clientWidth",
        );
      expect(await overflow()).toBe(0);
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await overflow()).toBe(0);
      // Text stands out from its ground in the dark, too: light on dark.
      await page.emulateMedia({ colorScheme: "dark" });
      const lightness = (property: string) =>
        page.evaluate(
          `getComputedStyle(document.body).${property}.match(/\\d+/g).reduce((a, b) => a + Number(b), 0) / 3`,
        );
      expect(await lightness("backgroundColor")).toBeLessThan(60);
      expect(await lightness("color")).toBeGreaterThan(180);
      // A4 at 96 dpi: nothing to scroll to, nothing cut off below.
      await page.setViewportSize({ width: 794, height: 1123 });
      await page.emulateMedia({ media: "print" });
      const cut = await page.evaluate(
        "[...document.querySelectorAll('.scroll')].filter((one) => one.scrollHeight > one.clientHeight + 1).length",
      );
      expect(cut).toBe(0);
      expect(await page.locator("details:visible").count()).toBe(0);
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  thoroughTest("axe finds no barrier on desktop, phone and paper, light or dark", async () => {
    const text = await html();
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    try {
      const page = await browser.newPage();
      await page.setContent(text);
      await page.evaluate(axe.source);
      for (const [width, media, colorScheme] of [
        [1280, "screen", "light"],
        [1280, "screen", "dark"],
        [360, "screen", "light"],
        [360, "screen", "dark"],
        [794, "print", "light"],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ media, colorScheme });
        const { violations, passes } = await page.evaluate(() =>
          (globalThis as unknown as { axe: typeof axe }).axe.run(document),
        );
        expect(passes.length).toBeGreaterThan(10);
        const found = violations.map(
          ({ id, nodes }) =>
            `${width} ${media} ${colorScheme} ${id}: ${nodes.map((n) => n.html).join()}`,
        );
        expect(found).toEqual([]);
      }
    } finally {
      await browser.close();
    }
  });
});
