/** What is known of noise on matrices and entries, against what the mechanisms draw. */
import { expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import { eigh } from "../../../src/linalg.js";
import { MECHANISM_NAMES, mechanismNamed } from "../../../src/privacy/mechanisms/catalogue.js";
import { openStream } from "../../../src/random/index.js";

const N = 60;
const DRAWS = 12;
const rms = (values: readonly number[]) =>
  Math.sqrt(values.reduce((sum, x) => sum + x * x, 0) / values.length);

// Relative standard errors are below 1.5 %, so 7 % is a false alarm in 1e5; the seed is fixed.
const near = (drawn: number, law: number) => {
  expect(Math.abs(drawn / law - 1)).toBeLessThan(0.07);
};

/** Noise of several releases on n tasks of n features, drawn on zeros. */
function drawn(
  name: (typeof MECHANISM_NAMES)[number],
  statistic: "covariance" | "diagonal" | "vector",
) {
  const core = openCore();
  const random = openStream(core, { mode: "seeded", seed: name });
  const mechanism = mechanismNamed(name).make({ statistic, tasks: N, dimension: N, clip: 1 });
  const length = statistic === "covariance" ? N * N : N;
  const work = core.arena.bytes(mechanism.workspace(core));
  const at = core.arena.f64(length);
  const noise = Array.from({ length: DRAWS }, () => {
    core.arena.view(at, length).fill(0);
    mechanism.perturb(core, random, at, 0.7, work);
    return core.arena.view(at, length).slice();
  });
  return { noise, scale: mechanism.noiseScale(0.7) };
}

const ofMatrices = MECHANISM_NAMES.filter((name) => mechanismNamed(name).matrixNoise);
test.each(ofMatrices)("eigenvalues and entries of %s", (name) => {
  const { noise, scale } = drawn(name, "covariance");
  const law = mechanismNamed(name).matrixNoise!(scale, N);
  const spectra = noise.map((matrix) => [...eigh(matrix, N).values].sort((a, b) => a - b));
  const centred = spectra.flat().map((value) => value - law.mean);
  expect(Math.abs(centred.reduce((a, b) => a + b) / centred.length)).toBeLessThan(
    0.05 * law.deviation,
  );
  near(rms(centred), law.deviation);
  // The edge is that of infinitely many rows: the largest of so few stays a little below it.
  const largest = rms(spectra.map((values) => values.at(-1)! - law.mean));
  expect(largest / law.edge).toBeGreaterThan(0.86);
  expect(largest / law.edge).toBeLessThan(1.02);
  const off = noise.flatMap((matrix) => [...matrix].filter((_, k) => k % N > Math.floor(k / N)));
  near(rms(off), law.offDiagonal);
});

const ofEntries = MECHANISM_NAMES.filter((name) => mechanismNamed(name).entryNoise);
test.each(ofEntries)("entries of %s", (name) => {
  const [statistic] = mechanismNamed(name).statistics as ["diagonal" | "vector"];
  const { noise, scale } = drawn(name, statistic);
  const law = mechanismNamed(name).entryNoise!(scale, N);
  const all = noise.flatMap((values) => [...values]);
  const mean = all.reduce((a, b) => a + b) / all.length;
  // 720 entries: 2.6 % for normal ones, 4.2 % for Laplace ones; four of these.
  expect(Math.abs(rms(all.map((x) => x - mean)) / law.deviation - 1)).toBeLessThan(0.17);
  const largest = rms(noise.map((values) => Math.max(...values)));
  expect(largest / law.edge).toBeGreaterThan(0.65);
  expect(largest / law.edge).toBeLessThan(1.45);
});
