/**
 * How much a visitor loads: the budgets that page/README.md states.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { build } from "vite";

describe("the built page", () => {
  const folder = mkdtempSync(join(tmpdir(), "mp-mtl-page-"));
  let sizes: Map<string, number>;
  beforeAll(async () => {
    const configFile = fileURLToPath(new URL("../../page/vite.config.ts", import.meta.url));
    await build({ configFile, logLevel: "error", build: { outDir: folder } });
    const assets = join(folder, "assets");
    sizes = new Map(
      readdirSync(assets).map((name) => [name, gzipSync(readFileSync(join(assets, name))).length]),
    );
  }, 60_000);
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const sizeOf = (part: RegExp) =>
    [...sizes].reduce((sum, [name, size]) => sum + (part.test(name) ? size : 0), 0);

  test.each([
    ["page", /^index-.*\.js$/, 34e3],
    ["styles", /\.css$/, 5e3],
    ["worker", /^worker-/, 195e3],
    ["report", /^report-/, 310e3],
  ] as const)("%s stays within its budget, gzipped", (_, part, budget) => {
    expect(sizeOf(part)).toBeGreaterThan(500);
    expect(sizeOf(part)).toBeLessThan(budget);
  });

  test("names no other origin and starts with the policy", () => {
    const html = readFileSync(join(folder, "index.html"), "utf8");
    expect(html).toMatch(/<head>\s*<meta http-equiv="Content-Security-Policy"/);
    expect(html).toMatch(/connect-src (&#39;|')none/);
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\//);
  });
});
