/**
 * What a bundler takes along: the privacy entry no WebAssembly, an unused import nothing.
 */
import { build } from "esbuild";
import { describe, expect, test, beforeAll } from "vitest";
import { temporaryFolder } from "../temporary.js";
import { built, installPacked, pack } from "./packed.js";

describe.skipIf(!built)("bundles of the packed package (skipped where dist/ is not built)", () => {
  let project: string;
  beforeAll(() => {
    project = temporaryFolder();
    installPacked(pack(temporaryFolder()), project);
  });

  async function bundle(contents: string, conditions: string[] = []) {
    const { outputFiles, metafile } = await build({
      stdin: { contents, resolveDir: project },
      absWorkingDir: project,
      bundle: true,
      minify: true,
      format: "esm",
      platform: "browser",
      conditions,
      external: ["*.wasm"],
      write: false,
      metafile: true,
      preserveSymlinks: true,
      logLevel: "silent",
    });
    const { inputs } = Object.values(metafile.outputs)[0]!;
    const taken = Object.keys(inputs).filter((path) => inputs[path]!.bytesInOutput > 0);
    return { text: outputFiles[0]!.text, taken };
  }
  const kernels = /WebAssembly|core\/(bytes|builds|load|core)/;

  test("mp-mtl/privacy has no WebAssembly in it, whatever is used", async () => {
    const { text, taken } = await bundle('export * from "mp-mtl/privacy"');
    expect(text).not.toMatch(/WebAssembly|AGFzbQ/);
    expect(taken.filter((path) => kernels.test(path))).toEqual([]);
    expect(text).toContain("calibrate");
  });

  test("one function of mp-mtl/privacy does not bring the others", async () => {
    const all = await bundle('export * from "mp-mtl/privacy"');
    const one = await bundle('export { compositionBound } from "mp-mtl/privacy"');
    expect(one.text.length).toBeLessThan(0.1 * all.text.length);
  });

  test.each(["mp-mtl", "mp-mtl/privacy", "mp-mtl/linalg", "mp-mtl/federation"])(
    "importing %s without using it leaves nothing behind",
    async (entry) => {
      expect((await bundle(`import ${JSON.stringify(entry)}`)).text.trim()).toBe("");
      const unused = `import * as all from ${JSON.stringify(entry)}; export const one = 1;`;
      expect((await bundle(unused)).taken).toEqual(["<stdin>"]);
    },
  );

  test("a task set alone brings no kernels and no estimator", async () => {
    const { taken } = await bundle('export { TaskSet } from "mp-mtl"');
    expect(taken.filter((path) => /core\/bytes|learning\/|privacy\//.test(path))).toEqual([]);
  });

  test("under the condition workerd the kernels are imported as a module, not carried as text", async () => {
    const worker = await bundle('export { loadModel } from "mp-mtl"', ["workerd"]);
    expect(worker.text).toMatch(/import \w+ from"[^"]*kernels\.wasm"/);
    expect(worker.text).not.toContain("AGFzbQ");
    const page = await bundle('export { loadModel } from "mp-mtl"');
    expect(page.text).toContain("AGFzbQ");
  });
});
