/**
 * Provenance of the WebAssembly: what is packed is, byte for byte, what the compiler makes of assembly/.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { applyDifference } from "../../src/core/builds/difference.js";
import { temporaryFolder } from "../temporary.js";
import { built, installPacked, pack, root } from "./packed.js";
import { LEFT_OUT, thorough } from "../thorough.js";

async function compile(target: string, folder: string): Promise<Buffer> {
  const outFile = join(folder, `${target}.wasm`);
  const compiler = join(root, "node_modules/assemblyscript/bin/asc.js");
  const args = [compiler, "--config", "asconfig.json", "--target", target, "--outFile", outFile];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", 2, 2] });
  const [status] = (await once(child, "exit")) as [number];
  if (status !== 0) throw new Error(`asc --target ${target} ended with ${status}`);
  return readFileSync(outFile);
}

describe.skipIf(!built || !thorough)(`the packed WebAssembly ${LEFT_OUT}`, () => {
  let folder: string;
  beforeAll(() => {
    folder = installPacked(pack(temporaryFolder()), temporaryFolder());
  });

  // The one that nearly every host runs is compiled anew, which takes long; the others are as npm run build compiled them.
  test.each(["simd", "scalar", "relaxed"])(
    "the %s build comes from assembly/",
    async (target) => {
      const expected =
        target === "simd"
          ? await compile(target, temporaryFolder())
          : readFileSync(join(root, `build/kernels-${target}.wasm`));
      const packed = (path: string) => readFileSync(join(folder, path), "latin1");
      const carrier = packed("dist/core/builds/packed-bytes.js");
      const literal = (name: string) => new RegExp(`${name} = "([^"]+)"`).exec(carrier)![1]!;
      const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "base64"));
      // All but the SIMD build are packed as their difference from it.
      const text = literal(target === "simd" ? "simdBytes" : `${target}FromSimd`);
      const bytes =
        target === "simd"
          ? bytesOf(text)
          : applyDifference(bytesOf(literal("simdBytes")), bytesOf(text));
      expect(expected.equals(bytes)).toBe(true);
      expect(packed("dist/mp-mtl.browser.js")).toContain(text);
      if (target === "simd") {
        expect(readFileSync(join(folder, "dist/kernels.wasm")).equals(expected)).toBe(true);
      }
    },
    240_000,
  );
});
