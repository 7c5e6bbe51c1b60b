/**
 * The size budgets of docs/PERFORMANCE.md, and that what the page says of today's sizes is true.
 */
import { build } from "esbuild";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../temporary.js";
import { built, installPacked, pack, root, type Tarball } from "./packed.js";

const page = readFileSync(join(root, "docs/PERFORMANCE.md"), "utf8");

/** The rows of the table of sizes: what, today's kB, the budget in kB. */
const rows = [
  .../## Sizes\n[\s\S]*?(?=\n## |$)/
    .exec(page)![0]
    .matchAll(/^\| ([^|]+?) +\| +(\d+) +\| +(\d+) +\|$/gm),
].map(([, what, now, budget]) => ({ what: what!, now: Number(now), budget: Number(budget) }));

test("what the FAQ says of sizes is what the table says", () => {
  const faq = readFileSync(join(root, "docs/FAQ.md"), "utf8");
  const inTable = (what: string) => rows.find((row) => row.what === what)!.now;
  const said = (words: RegExp) => Number(words.exec(faq)?.[1]);
  expect(said(/WebAssembly of some (\d+) kB/)).toBe(inTable("kernels, SIMD build"));
  expect(said(/a module of some (\d+) kB/)).toBe(inTable("kernels, SIMD build"));
  expect(said(/`mp-mtl\/privacy` is (\d+) kB/)).toBe(inTable("`mp-mtl/privacy`, min + gzip"));
});

describe.skipIf(!built)("sizes (skipped where dist/ is not built)", () => {
  let project: string;
  let tarball: Tarball;
  beforeAll(() => {
    project = temporaryFolder();
    tarball = pack(temporaryFolder());
    installPacked(tarball, project);
  });

  const zipped = (content: Uint8Array) => gzipSync(content, { level: 9 }).length;
  const kernels = (target: string) => statSync(join(root, `build/kernels-${target}.wasm`)).size;

  /** First load of a page that takes all of an entry: what is imported lazily is split off. */
  async function firstLoad(entry: string, names = "*"): Promise<number> {
    const { outputFiles, metafile } = await build({
      stdin: {
        contents: `export ${names} from ${JSON.stringify(entry)}`,
        resolveDir: project,
        sourcefile: "use.js",
      },
      absWorkingDir: project,
      bundle: true,
      splitting: true,
      minify: true,
      format: "esm",
      platform: "browser",
      outdir: join(project, "out"),
      write: false,
      metafile: true,
      preserveSymlinks: true,
    });
    const reached = new Set<string>();
    const visit = (path: string) => {
      if (reached.has(path)) return;
      reached.add(path);
      for (const { path: next, kind } of metafile.outputs[path]!.imports) {
        if (kind === "import-statement") visit(next);
      }
    };
    visit("out/stdin.js");
    return [...reached].reduce((sum, path) => {
      return sum + zipped(outputFiles.find((file) => file.path === join(project, path))!.contents);
    }, 0);
  }

  const measures: Record<string, () => number | Promise<number>> = {
    "kernels, SIMD build": () => kernels("simd"),
    "kernels, scalar build": () => kernels("scalar"),
    "kernels, relaxed build": () => kernels("relaxed"),
    "kernels, SIMD build, gzip": () => zipped(readFileSync(join(root, "build/kernels-simd.wasm"))),
    "all of `mp-mtl`, min + gzip": () => firstLoad("mp-mtl"),
    "`loadModel` alone, min + gzip": () => firstLoad("mp-mtl", "{ loadModel }"),
    "`TaskModel` alone, min + gzip": () => firstLoad("mp-mtl", "{ TaskModel }"),
    "`mp-mtl/privacy`, min + gzip": () => firstLoad("mp-mtl/privacy"),
    "`mp-mtl/linalg`, min + gzip": () => firstLoad("mp-mtl/linalg"),
    "`mp-mtl/browser`, one file, gzip": () =>
      zipped(readFileSync(join(project, "node_modules/mp-mtl/dist/mp-mtl.browser.js"))),
    tarball: () => tarball.size,
    "tarball, unpacked": () => tarball.unpackedSize,
  };

  test("the page names what is measured", () => {
    expect(rows.map(({ what }) => what)).toEqual(Object.keys(measures));
  });

  test.each(rows)("$what: at most $budget kB", async ({ what, now, budget }) => {
    const size = (await measures[what]!()) / 1000;
    expect(size).toBeLessThanOrEqual(budget);
    // Today's figure is for readers: it may lag behind, but not by more than a quarter.
    expect(
      Math.abs(size - now),
      `the page says ${now}, it is ${size.toFixed(1)}`,
    ).toBeLessThanOrEqual(Math.max(1, 0.25 * size));
  });
});
