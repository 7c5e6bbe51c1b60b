import fc from "fast-check";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { differenceFrom } from "../../scripts/kernel-difference.mjs";
import { applyDifference } from "../../src/core/builds/difference.js";
import { kernelBytes } from "../../src/core/builds/packed-bytes.js";

const compiled = (build: string) =>
  fileURLToPath(new URL(`../../build/kernels-${build}.wasm`, import.meta.url));

describe("the difference between two builds", () => {
  test("gives back the other one, whatever the two are", () => {
    const bytes = fc.uint8Array({ maxLength: 400, max: 3 });
    fc.assert(
      fc.property(bytes, bytes, bytes, (a, b, c) => {
        const base = Buffer.concat([a, b]);
        for (const target of [Buffer.concat([b, c, a]), Buffer.from(c), base]) {
          const difference = differenceFrom(base, target);
          expect(Buffer.from(applyDifference(base, difference))).toEqual(target);
        }
      }),
    );
  });

  test("is a few bytes where little differs", () => {
    const base = Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * i) % 251));
    const target = Buffer.from(base);
    target[2500]! ^= 1;
    expect(differenceFrom(base, target).length).toBeLessThan(20);
  });

  test.skipIf(!existsSync(compiled("simd")))("packs the builds as they were compiled", () => {
    for (const build of ["simd", "scalar", "relaxed"] as const) {
      expect(Buffer.from(kernelBytes(build)).equals(readFileSync(compiled(build))), build).toBe(
        true,
      );
    }
  });
});
