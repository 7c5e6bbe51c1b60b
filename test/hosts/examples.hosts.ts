/**
 * The examples, run as their READMEs say: the script in Node, the worker in workerd, the page in Chromium.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { loadModel } from "../../src/index.js";
import { root } from "../package/packed.js";
import { absent, chromiumPath, commandOf } from "./available.js";
import { serveFolder } from "./site.js";
import { serveWorker } from "./workerd.js";

const scratch = inject("scratch");
const examples = join(scratch, "examples");
let printed: string;
let written: Buffer;

beforeAll(() => {
  cpSync(join(root, "examples"), examples, { recursive: true });
  const node = join(examples, "node");
  printed = execFileSync(process.execPath, ["fit.js"], { cwd: node, encoding: "utf8" });
  written = readFileSync(join(node, "model.safetensors"));
});

test("the script fits a private model that beats every owner alone", () => {
  const [, alone, together] =
    /alone: nMSE (\S+)\n.*private: nMSE (\S+)\nguarantee: \(1, 0.00001\), sound: true, private: true/
      .exec(printed)!
      .map(Number);
  expect(together).toBeLessThan(0.5 * alone!);
});

test("the script reads a table", () => {
  const node = join(examples, "node");
  const cli = join(scratch, "node_modules/mp-mtl/dist/cli/main.js");
  const simulation = ["--pattern", "low-rank", "--tasks", "60", "--features", "5", "--seed", "1"];
  execFileSync(process.execPath, [cli, "simulate", ...simulation, "--out", "rows.csv"], {
    cwd: node,
  });
  const args = ["fit.js", "rows.csv", "task", "y"];
  expect(execFileSync(process.execPath, args, { cwd: node, encoding: "utf8" })).toContain(
    "sound: true, private: true",
  );
});

describe.skipIf(!commandOf("workerd"))(
  `the worker${absent(commandOf("workerd"), "workerd")}`,
  () => {
    test("serves the script's model", async () => {
      const worker = await serveWorker(
        join(examples, "worker/worker.js"),
        join(examples, "deployed"),
        [{ name: "model.safetensors", kind: "data", content: written }],
      );
      try {
        const model = loadModel(written);
        const task = model.taskNames[3]!;
        const rows = [
          Array.from({ length: model.d }, (_, j) => (j === 7 ? 1 : 0)),
          Array.from({ length: model.d }, (_, j) => (j < 2 ? 0.5 : 0)),
        ];
        const ask = (body: unknown) =>
          fetch(`${worker.url}predict`, { method: "POST", body: JSON.stringify(body) });
        expect(await (await ask({ task, rows })).json()).toEqual({
          predictions: [...model.predict(task, rows)],
        });
        const unknown = await ask({ task: "nobody", rows });
        expect([unknown.status, await unknown.json()]).toEqual([
          400,
          { error: expect.stringContaining('task "nobody"') as string },
        ]);
        const ragged = await ask({ task, rows: [[1]] });
        expect(ragged.status).toBe(400);
        const broken = await fetch(`${worker.url}predict`, { method: "POST", body: "{" });
        expect(broken.status).toBe(400);
        const about = (await (await fetch(`${worker.url}model`)).json()) as Record<string, unknown>;
        expect(about).toMatchObject({ method: "mp-feature-learning", guarantee: { epsilon: 1 } });
        expect(Object.keys(about)).toEqual(["method", "featureNames", "guarantee"]);
        expect((await fetch(worker.url)).status).toBe(404);
      } finally {
        await worker.stop();
      }
    });
  },
);

describe.skipIf(!chromiumPath)(`the page${absent(chromiumPath, "chromium")}`, () => {
  test("fits simulated owners and a file of the visitor's", async () => {
    const page = join(examples, "page");
    copyFileSync(
      join(scratch, "node_modules/mp-mtl/dist/mp-mtl.browser.js"),
      join(page, "mp-mtl.browser.js"),
    );
    const site = await serveFolder(page);
    const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    const browser = await chromium.launch({ executablePath: chromiumPath!, args });
    try {
      const tab = await browser.newPage();
      const problems: string[] = [];
      tab.on("pageerror", (error) => problems.push(error.message));
      await tab.goto(site.url);
      const result = tab.locator("output", { hasText: "Error of every owner alone" });
      await tab.getByRole("button", { name: "Fit" }).click();
      await result.waitFor();
      expect(await result.textContent()).toMatch(
        /together 0\.\d+\. No owner .* epsilon 1, delta 0.00001/,
      );

      const rows = Array.from({ length: 90 }, (_, i) => {
        const [a, b] = [Math.sin(i), Math.cos(3 * i)];
        return `owner-${i % 9},${(2 * a - b).toFixed(4)},${a.toFixed(4)},${b.toFixed(4)}`;
      });
      const file = {
        name: "rows.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(`owner,score,a,b\n${rows.join("\n")}\n`),
      };
      await tab.getByLabel("Table").setInputFiles(file);
      await tab.getByRole("button", { name: "Fit" }).click();
      await tab.locator("output", { hasText: 'column "task"' }).waitFor();
      await tab.getByLabel("Column of the owner").fill("owner");
      await tab.getByLabel("Column of the target").fill("score");
      await tab.getByLabel("epsilon").fill("3");
      await tab.getByRole("button", { name: "Fit" }).click();
      await tab.locator("output", { hasText: "epsilon 3, delta" }).waitFor();
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
      site.close();
    }
  });
});
