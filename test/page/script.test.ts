/**
 * `npm run page`: the folder it writes, how much of it a visitor loads, and what it serves.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LEFT_OUT, thorough, thoroughTest } from "../thorough.js";

const script = fileURLToPath(new URL("../../scripts/page.mjs", import.meta.url));
const PATIENCE = 120_000;

describe.skipIf(!thorough)(`--build DIR ${LEFT_OUT}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "mp-mtl-page-"));
  let sizes: Map<string, number>;
  beforeAll(() => {
    writeFileSync(join(folder, "mine.txt"), "not the page's");
    const { status, stdout } = spawnSync(process.execPath, [script, "--build", folder], {
      encoding: "utf8",
    });
    expect([status, stdout]).toEqual([0, expect.stringContaining(folder)]);
    const assets = join(folder, "assets");
    sizes = new Map(
      readdirSync(assets).map((name) => [name, gzipSync(readFileSync(join(assets, name))).length]),
    );
  }, PATIENCE);
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const sizeOf = (part: RegExp) =>
    [...sizes].reduce((sum, [name, size]) => sum + (part.test(name) ? size : 0), 0);

  // What page/README.md states, with some room.
  test.each([
    ["page", /^index-.*\.js$/, 41e3],
    ["styles", /\.css$/, 5e3],
    ["worker", /^worker-/, 393e3],
    ["report", /^report-/, 40e3],
    ["prospects", /^prospects-/, 6e3],
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

  test("leaves what else was in the folder", () => {
    expect(readFileSync(join(folder, "mine.txt"), "utf8")).toBe("not the page's");
  });
});

thoroughTest(
  "serves the page with its policy as a header and prints the address",
  async () => {
    const child = spawn(process.execPath, [script, "--port", "41735"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      let printed = "";
      for await (const text of child.stdout) {
        printed += String(text);
        if (printed.includes("\n")) break;
      }
      const address = /http:\/\/localhost:\d+\//.exec(printed)![0];
      const response = await fetch(address);
      expect(response.headers.get("content-security-policy")).toMatch(/connect-src 'none'/);
      expect(await response.text()).toMatch(/<title>mp-mtl playground/);
    } finally {
      child.kill();
      await once(child, "exit");
    }
  },
  PATIENCE,
);

test("an unknown option is refused with the usage", () => {
  const { status, stderr } = spawnSync(process.execPath, [script, "--bild", "x"], {
    encoding: "utf8",
  });
  expect(status).toBe(2);
  expect(stderr).toMatch(/--bild[\s\S]*usage: npm run page/);
});
