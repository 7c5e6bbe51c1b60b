/**
 * What is left of noise in the kernels' own memory: nothing. Tables that the first draw fills are there before.
 */
import { expect, test } from "vitest";
import { describeBuilds, testStream } from "./builds.js";
import { forgeWords, STEP_BITS } from "./forged-words.js";
import { BITS, exponential } from "./rational-exponential.js";

describeBuilds("kernels that draw noise leave none behind", (core) => {
  const { kernels, arena } = core;
  const d = 23;
  const at = arena.f64(d * d);
  const work = arena.bytes(
    Math.max(kernels.wishartWorkspace(d), kernels.addSphericalLaplaceWorkspace(d * d), 8192),
  );
  const records = arena.bytes(kernels.exactRealsRecords());
  const statics = () => new Uint8Array(kernels.memory.buffer, 0, Number(kernels.heapBase())).slice();

  /** Bytes of the kernels' own memory that a second call changes. */
  function changed(call: () => void): number {
    call();
    const before = statics();
    call();
    const after = statics();
    return before.reduce((count, byte, i) => count + Number(byte !== after[i]), 0);
  }

  test("the measure sees what is left", () => {
    const before = statics();
    expect(before.length).toBeGreaterThan(10_000);
    new Uint8Array(kernels.memory.buffer)[2000]! ^= 1;
    expect(statics()).not.toEqual(before);
    new Uint8Array(kernels.memory.buffer)[2000]! ^= 1;
  });

  const state = testStream(core, 5);
  test.each<[string, () => void]>([
    ["addNormal", () => kernels.addNormal(state, at, d * d, 2)],
    ["addSymmetricNormal", () => kernels.addSymmetricNormal(state, at, d, 2)],
    ["addLaplace", () => kernels.addLaplace(state, at, d, 2)],
    ["addSphericalLaplace", () => kernels.addSphericalLaplace(state, at, d, 2, work)],
    ["wishart", () => kernels.wishart(state, at, d, d + 1, 1, work)],
    ["discreteGaussian", () => kernels.discreteGaussian(state, at, d * d, 1000, 1)],
    ["addDiscreteNormal", () => kernels.addDiscreteNormal(state, at, d * d, 1000, 1)],
    ["addDiscreteSymmetricNormal", () => kernels.addDiscreteSymmetricNormal(state, at, d, 1000, 1)],
    ["discreteLaplace", () => kernels.discreteLaplace(state, at, d, 1000)],
    ["addDiscreteLaplace", () => kernels.addDiscreteLaplace(state, at, d, 1000, 1)],
    ["exactReals", () => void kernels.exactReals(state, at, d * d, 1, records)],
  ])("%s", (_, call) => {
    expect(changed(call)).toBe(0);
  });

  test.each(["wishart", "addSphericalLaplace"])("%s wipes its workspace", (name) => {
    const bytes =
      name === "wishart" ? kernels.wishartWorkspace(d) : kernels.addSphericalLaplaceWorkspace(d);
    if (name === "wishart") kernels.wishart(state, at, d, d + 1, 1, work);
    else kernels.addSphericalLaplace(state, at, d, 2, work);
    expect(arena.view(work, bytes / 8).every((x) => x === 0)).toBe(true);
  });

  test("a comparison by long integers, and the bits of a real number drawn for it", () => {
    let seed = 0;
    const forged = (proposal: bigint, bound: bigint) =>
      forgeWords(core, [
        proposal, bound << 11n,
        ...Array.from({ length: 30 }, () => Math.imul(++seed, 0x9e3779b1) >>> 0),
        STEP_BITS[0], 0n,
      ]);
    const bound = exponential(1n, 8n) >> (BITS - 53n);
    expect(
      changed(() => {
        const next = forged((1n << 8n) | STEP_BITS[0], bound);
        kernels.discreteGaussian(next, at, 1, 2, 1);
      }),
    ).toBe(0);
    expect(
      changed(() => {
        const next = forged(((1n << 45n) << 8n) | STEP_BITS[0], bound);
        kernels.exactReals(next, at, 1, 1, records);
      }),
    ).toBe(0);
  });
});
