/**
 * What a bundler takes along: the privacy entry no WebAssembly, an unused import nothing.
 */
import { build } from "esbuild";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, beforeAll } from "vitest";
import { temporaryFolder } from "../temporary.js";
import { built, installPacked, manifest, pack } from "./packed.js";
import { someOf } from "../thorough.js";

describe.skipIf(!built)("bundles of the packed package (skipped where dist/ is not built)", () => {
  let project: string;
  let unmarked: string;
  beforeAll(() => {
    const tarball = pack(temporaryFolder());
    project = temporaryFolder();
    installPacked(tarball, project);
    unmarked = temporaryFolder();
    const folder = installPacked(tarball, unmarked);
    const { sideEffects, ...rest } = manifest;
    expect(sideEffects).toBe(false);
    writeFileSync(join(folder, "package.json"), JSON.stringify(rest));
  });

  async function bundle(contents: string, conditions: string[] = [], folder = project) {
    const { outputFiles, metafile } = await build({
      stdin: { contents, resolveDir: folder },
      absWorkingDir: folder,
      bundle: true,
      minify: true,
      format: "esm",
      platform: "browser",
      conditions,
      external: ["*.wasm"],
      write: false,
      metafile: true,
      preserveSymlinks: true,
      legalComments: "none",
      logLevel: "silent",
    });
    const { inputs } = Object.values(metafile.outputs)[0]!;
    const taken = Object.keys(inputs).filter((path) => inputs[path]!.bytesInOutput > 0);
    return { text: outputFiles[0]!.text, taken };
  }

  test("mp-mtl/privacy has no WebAssembly in it, whatever is used", async () => {
    const { text } = await bundle('export * from "mp-mtl/privacy"');
    expect(text).not.toMatch(/WebAssembly|AGFzbQ/);
    expect(text).toContain("calibrate");
  });

  test("one function of mp-mtl/privacy does not bring the others", async () => {
    const all = await bundle('export * from "mp-mtl/privacy"');
    const one = await bundle('export { compositionBound } from "mp-mtl/privacy"');
    expect(one.text.length).toBeLessThan(0.1 * all.text.length);
  });

  test.each(someOf(["mp-mtl", "mp-mtl/privacy", "mp-mtl/linalg", "mp-mtl/federation"], 3))(
    "importing %s without using it leaves nothing behind",
    async (entry) => {
      expect((await bundle(`import ${JSON.stringify(entry)}`)).text.trim()).toBe("");
      const unused = `import * as all from ${JSON.stringify(entry)}; export const one = 1;`;
      expect((await bundle(unused)).taken).toEqual(["<stdin>"]);
    },
  );

  test("a task set alone brings no kernels and no estimator", async () => {
    const { text } = await bundle('export { TaskSet } from "mp-mtl"');
    expect(text).toContain("featureNames");
    expect(text).not.toMatch(/WebAssembly|AGFzbQ|mp-low-rank|epsilon/);
  });

  // One chunk holds many modules, so that the flag for whole files is not enough.
  test.each(someOf(["mp-mtl", "mp-mtl/privacy", "mp-mtl/linalg"], 3))(
    "no constant of %s is computed by a statement that bundlers would keep",
    async (entry) => {
      const { text } = await bundle(`import ${JSON.stringify(entry)}`, [], unmarked);
      expect(text.trim()).toBe("");
    },
  );

  test("under the condition workerd the kernels are imported as a module, not carried as text", async () => {
    const worker = await bundle('export { loadModel } from "mp-mtl"', ["workerd"]);
    expect(worker.text).toMatch(/import [\w$]+ from"[^"]*kernels\.wasm"/);
    expect(worker.text).not.toContain("AGFzbQ");
    const page = await bundle('export { loadModel } from "mp-mtl"');
    expect(page.text).toContain("AGFzbQ");
  });
});
