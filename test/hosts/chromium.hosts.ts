/**
 * Chromium: the one-file build in a plain page, bundles by esbuild and by Vite, Web Workers, content
 * security policies; and that a long fit leaves the page alive.
 */
import { build as esbuild } from "esbuild";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Browser } from "playwright-core";
import { build as viteBuild } from "vite";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { absent, chromiumPath } from "./available.js";
import { reference } from "./reference.js";
import { serveFolder, type Site } from "./site.js";

const scratch = inject("scratch");

/** Headers of a page that may share memory with its workers. */
const ISOLATED = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};

describe.skipIf(!chromiumPath)(`Chromium${absent(chromiumPath, "chromium")}`, () => {
  let browser: Browser;
  const sites: Site[] = [];
  beforeAll(async () => {
    // Root, as in a container, cannot have Chromium's own sandbox.
    const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    browser = await chromium.launch({ executablePath: chromiumPath!, args });
    await esbuild({
      entryPoints: ["page.js", "fit-worker.js", "pool-worker.js", "task-worker.js"].map((name) =>
        join(scratch, name),
      ),
      outdir: join(scratch, "by-esbuild"),
      bundle: true,
      splitting: true,
      minify: true,
      format: "esm",
      logLevel: "error",
    });
    cpSync(join(scratch, "index.html"), join(scratch, "by-esbuild/index.html"));
    await viteBuild({
      configFile: false,
      root: scratch,
      logLevel: "error",
      worker: { format: "es" },
      build: { outDir: "by-vite", target: "es2022" },
    });
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    for (const site of sites) site.close();
  });

  /** Opens a page of a folder, starts one of `page.js`'s jobs, returns its outcome. */
  async function outcome(folder: string, job: string, at = "", headers = {}, build?: string) {
    const site = await serveFolder(join(scratch, folder), headers);
    sites.push(site);
    const page = await browser.newPage();
    try {
      const problems: string[] = [];
      page.on("pageerror", (error) => problems.push(error.message));
      await page.goto(site.url + at);
      await page.waitForFunction("globalThis.start !== undefined");
      const result: unknown = await page.evaluate(
        `start(${JSON.stringify(job)}, ${JSON.stringify(build)})`,
      );
      expect(problems).toEqual([]);
      return result;
    } finally {
      await page.close();
    }
  }

  test("a module script and the one-file build, no bundler: the same bits", async () => {
    expect(await outcome("", "fits", "plain.html")).toEqual(await reference(scratch));
    expect(await outcome("", "worker", "plain.html")).toMatchObject({
      // An import map does not reach workers, so a page without a bundler needs a relative import there.
      name: "Error",
    });
  });

  describe.each(["by-esbuild", "by-vite"])("bundled %s", (folder) => {
    test("the same bits, in the page and in a Web Worker", async () => {
      expect(await outcome(folder, "fits")).toEqual(await reference(scratch));
      expect(await outcome(folder, "worker")).toEqual(await reference(scratch));
    });

    test("a pool of Web Workers", async () => {
      expect(await outcome(folder, "pool")).toEqual({ same: true, sameChoice: true, fits: 4 });
    });

    test.each([
      ["arrays that are sent", false, {}],
      ["shared memory, in a page isolated from other origins", true, ISOLATED],
    ])("one fit over Web Workers, the bits of one thread: %s", async (_, isShared, headers) => {
      const spread = { threads: { used: 3, why: "that many were asked for" }, same: true };
      expect(await outcome(folder, "spread", "", headers)).toEqual({
        isShared,
        "mp-mixed": spread,
        "mp-low-rank": spread,
        // The second fit has the workers of the first.
        started: 2,
        ended: 2,
      });
    });

    test("the relaxed build", async () => {
      expect(await outcome(folder, "fits", "", {}, "relaxed")).toMatchObject({ build: "relaxed" });
    });

    test("under a policy with wasm-unsafe-eval", async () => {
      const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
      const headers = { "content-security-policy": policy };
      expect(await outcome(folder, "fits", "", headers)).toEqual(await reference(scratch));
      expect(await outcome(folder, "worker", "", headers)).toEqual(await reference(scratch));
    });

    test("under a policy without it: an error that says what to allow", async () => {
      const headers = { "content-security-policy": "default-src 'self'" };
      expect(await outcome(folder, "fits", "", headers)).toEqual({
        name: "HostError",
        code: "HOST",
        message: expect.stringContaining(
          "allow 'wasm-unsafe-eval' in the content security policy",
        ) as string,
      });
    });
  });

  test("a long fit leaves the page its frames", async () => {
    const { seconds, frames, longest } = (await outcome("by-vite", "long")) as Record<
      string,
      number
    >;
    console.log(
      `fit ${seconds!.toFixed(2)} s, ${frames} frames, longest gap ${longest!.toFixed(0)} ms`,
    );
    expect(seconds).toBeGreaterThan(1);
    // Slices are 12 ms; the rest is what a busy machine adds, and the start of the fit.
    expect(longest).toBeLessThan(250);
    expect(frames! / seconds!).toBeGreaterThan(15);
  });

  test("a long fit can be aborted", async () => {
    const { name, rounds, waited } = (await outcome("by-vite", "abort")) as Record<string, unknown>;
    expect(name).toBe("AbortError");
    expect(rounds).toBeLessThan(4000);
    expect(waited).toBeLessThan(250);
  });

  test.each([
    ["arrays that are sent", {}],
    ["shared memory", ISOLATED],
  ])("a fit over Web Workers can be aborted: %s", async (_, headers) => {
    const { rounds, waited, ...rest } = (await outcome(
      ...(["by-vite", "abort spread", "", headers] as const),
    )) as Record<string, unknown>;
    // Workers that owed an answer were ended; the next fit has as many, all of them ended with the pool.
    expect(rest).toEqual({
      name: "AbortError",
      free: 2,
      next: 2 + 1,
      started: expect.any(Number) as number,
      ended: rest["started"],
    });
    expect(rest["started"]).toBeGreaterThan(2);
    expect(rounds).toBeLessThan(4000);
    expect(waited).toBeLessThan(250);
  });

  test("where the script of Web Workers is missing, one thread makes the fit and says why", async () => {
    expect(await outcome("by-vite", "no script")).toEqual({
      used: 1,
      why: "on workers it could not begin: a thread ended: the worker's script did not load",
    });
  });
});
