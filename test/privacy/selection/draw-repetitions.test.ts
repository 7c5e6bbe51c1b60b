/** The number of runs of a private selection: exact where doubles are not, and decided by as many bits as it takes. */
import { describe, expect, test } from "vitest";
import { openCore } from "../../../src/core/index.js";
import {
  drawRepetitions,
  repetitionsOfMean,
  type Repetitions,
} from "../../../src/privacy/index.js";
import { openStream, randomBits, uniforms } from "../../../src/random/index.js";
import { thorough } from "../../thorough.js";

const nb = (eta: number, gamma: number): Repetitions => ({ kind: "negative-binomial", eta, gamma });
const poisson = (mean: number): Repetitions => ({ kind: "poisson", mean });

/** First bits, then what follows them, 64 at a time. */
function bits(...given: bigint[]) {
  let drawn = 0;
  return {
    next: () => given[Math.min(drawn++, given.length - 1)]!,
    drawn: () => drawn,
  };
}

/** floor(2^64 F(k)), by mpmath at 3000 bits from the definition of the law at the doubles as they are. */
const BOUNDS: [string, Repetitions, number, bigint][] = [
  ["geometric", nb(1, 0.1), 10, 0xa6bd027ef340a496n],
  ["geometric", nb(1, 0.1), 100, 0xfffe425fa912b6c0n],
  ["logarithmic", nb(0, 0.05), 1, 0x512ea1abddede192n],
  ["logarithmic", nb(0, 0.05), 200, 0xffffeeee0ee0bd26n],
  ["eta -1/2", nb(-0.5, 0.02), 3, 0xc76fbad2f39e1140n],
  ["eta -1/2", nb(-0.5, 0.02), 500, 0xffffff2111204810n],
  ["eta 3", nb(3, 0.4), 5, 0xa9bcfd4bf0995dfbn],
  ["gamma near 1", nb(0.5, 0.999), 4, 0xffffffffff75703dn],
  ["eta near 0", nb(1e-12, 1e-6), 1000, 0x8aafbd82f5fcc4ebn],
  ["eta below 0, nearer", nb(-1e-300, 0.3), 9, 0xfe4fed8a04895f40n],
  ["eta 100, first term e^-465", nb(100, 0.01), 9000, 0x2f2c61543a63cc5fn],
  ["eta near -1", nb(-0.999, 1e-9), 50, 0xfffeaef32cdae5fdn],
  ["poisson", poisson(4), 0, 0x4b0556e084f3d1dn],
  ["poisson", poisson(4), 9, 0xfdeb0b9b24dfa40fn],
  ["poisson, mostly none", poisson(1e-5), 1, 0xffffffffc9065851n],
  ["poisson, a whole part", poisson(31.7), 0, 0x4cfd0n],
  ["poisson, a whole part", poisson(31.7), 60, 0xffffd63cb49bb145n],
];

describe("the number of runs", () => {
  test.each(BOUNDS)("%s: %o changes after %i at its own bit", (_name, law, k, at) => {
    expect(drawRepetitions(law, bits(at - 1n).next)).toBe(k);
    expect(drawRepetitions(law, bits(at + 1n).next)).toBe(k + 1);
    // These 64 bits leave it open. The next decide: F(k) lies in between, so nothing is below and 2^64 - 1 not.
    const low = bits(at, 0n);
    expect(drawRepetitions(law, low.next)).toBe(k);
    expect(low.drawn()).toBeGreaterThan(1);
    expect(drawRepetitions(law, bits(at, 2n ** 64n - 1n).next)).toBe(k + 1);
  });

  test("a bound that is a binary fraction is not taken before a bit says on which side", () => {
    // F(1) = 1/2 of the geometric law with gamma 1/2.
    const above = bits(2n ** 63n, 0n, 0n, 1n);
    expect(drawRepetitions(nb(1, 0.5), above.next)).toBe(2);
    expect(above.drawn()).toBe(4);
    const below = bits(2n ** 63n - 1n, 2n ** 64n - 1n, 2n ** 64n - 2n);
    expect(drawRepetitions(nb(1, 0.5), below.next)).toBe(1);
    expect(below.drawn()).toBe(3);
  });

  test("what the first bits leave open at few bits of precision is left open: bounds are rounded outwards", () => {
    // At 192 bits the first term, e^-465, is below the unit: rounded down on both sides nothing would ever be decided.
    expect(drawRepetitions(nb(100, 0.01), bits(2n ** 63n).next)).toBeGreaterThan(9000);
    expect(drawRepetitions(nb(100, 0.01), bits(0n, 0n, 1n).next)).toBeLessThan(9000);
  });

  test("tails beyond doubles are reached", () => {
    // 53 bits end at 1 - 2^-53, where the geometric law of gamma 1/2 has its 53rd run.
    expect(drawRepetitions(nb(1, 0.5), bits(2n ** 64n - 1n, 0n, 1n).next)).toBe(65);
    expect(drawRepetitions(nb(1, 0.5), bits(2n ** 64n - 1n, 2n ** 64n - 1n, 5n).next)).toBe(129);
  });

  test("drawn from a stream it has the law's mean; a Poisson mean is drawn in parts", () => {
    const stream = openStream(openCore(), { mode: "seeded", seed: "runs" }, 1);
    const laws: [Repetitions, number, number][] = [
      [poisson(100.5), 100.5, Math.sqrt(100.5)],
      [repetitionsOfMean(1, 10), 10, Math.sqrt(90)],
    ];
    for (const [law, mean, deviation] of laws) {
      const draws = thorough ? 1500 : 500;
      let sum = 0;
      for (let i = 0; i < draws; i++) sum += drawRepetitions(law, () => randomBits(stream));
      // Five deviations: a false alarm at one seed in about a million.
      expect(Math.abs(sum / draws - mean)).toBeLessThan((5 * deviation) / Math.sqrt(draws));
    }
    stream.close();
  });

  test("random bits are those that uniforms are made of", () => {
    const open = () => openStream(openCore(), { mode: "seeded", seed: "bits" }, 1);
    const [one, other] = [open(), open()];
    for (const uniform of uniforms(one, 20)) {
      expect(Number(randomBits(other) >> 11n) * 2 ** -53).toBe(uniform);
    }
    one.close();
    other.close();
  });

  test.each([
    [
      "another kind",
      { kind: "geometric" },
      'repetitions.kind: expected "negative-binomial" or "poisson", got "geometric"',
    ],
    ["nothing", null, "repetitions.kind"],
    ["a mean that is no number", poisson(NaN), "repetitions.mean: expected a finite number"],
    ["a mean that no draw ends of", poisson(1e18), "repetitions.mean: expected mean <= 1000000000"],
    ["gamma 0", nb(1, 0), "repetitions.gamma"],
  ])("%s is refused, not drawn without end", (_name, law, words) => {
    expect(() => drawRepetitions(law as Repetitions, bits(5n).next)).toThrow(words);
  });
});
