import { describe, expect, test } from "vitest";
import { builds, coreOf, describeBuilds, testStream, wordsOf } from "./builds.js";
import { chiSquareTail, gammaCdf, kolmogorov, moments, normalCdf } from "./statistics.js";

/** RFC 8439 key stream words, little endian, from the hex bytes printed there. */
function hexWords(hex: string): number[] {
  const bytes = hex.match(/../g)!.map((byte) => parseInt(byte, 16));
  const view = new DataView(Uint8Array.from(bytes).buffer);
  return Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(4 * i, true));
}
const zeroKey = "00".repeat(32);
const vectors = [
  {
    name: "A.1 #1",
    key: zeroKey,
    counter: [0, 0],
    stream: [0, 0],
    out: "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586",
  },
  {
    name: "A.1 #2",
    key: zeroKey,
    counter: [1, 0],
    stream: [0, 0],
    out: "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f",
  },
  {
    name: "A.1 #3",
    key: "00".repeat(31) + "01",
    counter: [1, 0],
    stream: [0, 0],
    out: "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0",
  },
  {
    name: "A.1 #5",
    key: zeroKey,
    counter: [0, 0],
    stream: [0, 0x02000000],
    out: "c2c64d378cd536374ae204b9ef933fcd1a8b2288b3dfa49672ab765b54ee27c78a970e0e955c14f3a88e741b97c286f75f8fc299e8148362fa198a39531bed6d",
  },
  {
    name: "section 2.3.2 (first nonce word in the counter's upper half)",
    key: Array.from({ length: 32 }, (_, i) => i.toString(16).padStart(2, "0")).join(""),
    counter: [1, 0x09000000],
    stream: [0x4a000000, 0],
    out: "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4ed2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e",
  },
];

describeBuilds("ChaCha20", (core) => {
  const { kernels, arena } = core;

  test.each(vectors)("RFC 8439 $name", ({ key, counter, stream, out }) => {
    const state = arena.bytes(kernels.randomStateBytes());
    kernels.randomInit(state, wordsOf(core, hexWords(key)), stream[0]!, stream[1]!);
    arena.words(state + 48, 2).set(counter);
    const at = arena.bytes(64);
    kernels.randomWords(state, at, 16);
    expect(Array.from(arena.words(at, 16))).toEqual(hexWords(out));
  });

  test("the order of words does not depend on how many are asked for at a time", () => {
    const at = arena.bytes(4 * 3000);
    kernels.randomWords(testStream(core, 5), at, 3000);
    const whole = arena.words(at, 3000).slice();
    const state = testStream(core, 5);
    const parts: number[] = [];
    for (let step = 1; parts.length < 3000; step = (step * 7) % 613) {
      const take = Math.min(step, 3000 - parts.length);
      kernels.randomWords(state, at, take);
      parts.push(...arena.words(at, take));
    }
    expect(parts).toEqual(Array.from(whole));
  });

  test("the block counter carries into its upper word", () => {
    const run = (low: number, high: number, skip: number) => {
      const state = testStream(core, 9);
      arena.words(state + 48, 2).set([low, high]);
      const at = arena.bytes(4 * 64);
      for (let i = 0; i <= skip; i++) kernels.randomWords(state, at, 16);
      return Array.from(arena.words(at, 16));
    };
    // Block 2^32 reached by counting and directly.
    expect(run(0xfffffffe, 0, 2)).toEqual(run(0, 1, 0));
    expect(run(0xffffffff, 6, 3)).toEqual(run(2, 7, 0));
  });

  test("streams of one key differ", () => {
    const first = (stream: number) => {
      const at = arena.bytes(8);
      kernels.randomWords(testStream(core, 5, stream), at, 2);
      return arena.words(at, 2).join();
    };
    expect(new Set([0, 1, 2, 3].map(first)).size).toBe(4);
  });
});

describe("both builds", () => {
  test("give the same bits for the same seed, draw by draw", () => {
    const run = (build: (typeof builds)[number]) => {
      const core = coreOf(build);
      const { kernels, arena } = core;
      const state = testStream(core, 77);
      const out: number[] = [];
      const keep = (n: number, fill: (at: number) => void) => {
        const at = arena.zeros(n);
        fill(at);
        out.push(...arena.view(at, n));
      };
      keep(5000, (at) => kernels.randomNormal(state, at, 5000));
      keep(777, (at) => kernels.randomUniform(state, at, 777));
      for (const shape of [0.01, 0.5, 1, 3.7, 400]) out.push(kernels.randomGamma(state, shape));
      keep(999, (at) => kernels.addNormal(state, at, 999, 2.5));
      keep(333, (at) => kernels.addLaplace(state, at, 333, 0.3));
      const work = arena.bytes(kernels.addSphericalLaplaceWorkspace(31));
      keep(31, (at) => kernels.addSphericalLaplace(state, at, 31, 2, work));
      keep(41 * 41, (at) => kernels.addSymmetricNormal(state, at, 41, 1.5));
      return Float64Array.from(out);
    };
    const [simd, scalar] = builds.map(run);
    expect(new BigUint64Array(simd!.buffer)).toEqual(new BigUint64Array(scalar!.buffer));
  });
});

// Fixed seeds: these tests pass or fail for good. The chances below are those of a false alarm
// when a seed is changed.
describeBuilds("draws", (core, build) => {
  const { kernels, arena } = core;
  const sample = (n: number, seed: number, fill: (state: number, at: number) => void) => {
    const mark = arena.mark();
    const state = testStream(core, seed);
    const at = arena.zeros(n);
    fill(state, at);
    const draws = arena.view(at, n).slice();
    arena.release(mark);
    return draws;
  };
  const many = build === "simd" ? 1_000_000 : 100_000;

  test("uniforms: open interval, Kolmogorov (4e-5)", () => {
    const draws = sample(many, 11, (s, at) => kernels.randomUniform(s, at, many));
    expect(draws.every((u) => u > 0 && u < 1)).toBe(true);
    expect(kolmogorov(draws, (x) => x)).toBeLessThan(2.33);
  });

  test("normals: moments within 5 standard errors, Kolmogorov (5e-5 together)", () => {
    const draws = sample(many, 12, (s, at) => kernels.randomNormal(s, at, many));
    const { mean, variance, skewness, kurtosis } = moments(draws);
    const within = (x: number, se: number) => expect(Math.abs(x)).toBeLessThan(5 * se);
    within(mean, 1 / Math.sqrt(many));
    within(variance - 1, Math.sqrt(2 / many));
    within(skewness, Math.sqrt(6 / many));
    within(kurtosis - 3, Math.sqrt(24 / many));
    expect(kolmogorov(draws, normalCdf)).toBeLessThan(2.33);
  });

  test("normals: chi-square over 64 bins and the tails beyond the ziggurat's edge (1e-6)", () => {
    const n = build === "simd" ? 4_000_000 : 400_000;
    const draws = sample(n, 13, (s, at) => kernels.randomNormal(s, at, n));
    // Edges every 0.12 to +-3.6, then 3.6541528853610088 (the outer layer), 4 and 4.4.
    const half = Array.from({ length: 31 }, (_, i) => 0.12 * i).concat([
      3.6541528853610088, 4, 4.4,
    ]);
    const edges = [
      ...half
        .slice(1)
        .map((x) => -x)
        .reverse(),
      ...half,
    ];
    const counts = new Array<number>(edges.length + 1).fill(0);
    for (const x of draws) {
      let low = 0;
      let high = edges.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (x < edges[middle]!) high = middle;
        else low = middle + 1;
      }
      counts[low]!++;
    }
    const upTo = edges.map(normalCdf);
    const statistic = counts.reduce((sum, count, i) => {
      const p = (upTo[i] ?? 1) - (upTo[i - 1] ?? 0);
      return sum + (count - n * p) ** 2 / (n * p);
    }, 0);
    expect(chiSquareTail(counts.length - 1, statistic)).toBeGreaterThan(1e-6);
    const farther = counts[0]! + counts.at(-1)!;
    const expected = 2 * n * (1 - normalCdf(4.4));
    expect(Math.abs(farther - expected)).toBeLessThan(5 * Math.sqrt(expected) + 3);
  });

  test("normals: successive draws and their squares are uncorrelated, 5 standard errors (3e-6)", () => {
    const draws = sample(many, 14, (s, at) => kernels.randomNormal(s, at, many));
    for (const lag of [1, 2, 3, 127, 128]) {
      let plain = 0;
      let squared = 0;
      for (let i = lag; i < many; i++) {
        plain += draws[i]! * draws[i - lag]!;
        squared += (draws[i]! ** 2 - 1) * (draws[i - lag]! ** 2 - 1);
      }
      expect(Math.abs(plain)).toBeLessThan(5 * Math.sqrt(many));
      expect(Math.abs(squared)).toBeLessThan(5 * 2 * Math.sqrt(many));
    }
  });

  test.each([0.02, 0.1, 0.5, 0.999, 1, 1.5, 7.25, 1000])(
    "Gamma(%d): Kolmogorov (4e-5)",
    (shape) => {
      const n = 40_000;
      const draws = sample(n, 15, (s, at) => {
        const view = arena.view(at, n);
        for (let i = 0; i < n; i++) view[i] = kernels.randomGamma(s, shape);
      });
      expect(kolmogorov(draws, (x) => gammaCdf(shape, x))).toBeLessThan(2.33);
      const { mean } = moments(draws);
      expect(Math.abs(mean - shape)).toBeLessThan(5 * Math.sqrt(shape / n));
    },
  );

  test.each([0.3, 1, 2, 31])("chi-square(%d): Kolmogorov (4e-5)", (degrees) => {
    const n = 40_000;
    const draws = sample(n, 16, (s, at) => {
      const view = arena.view(at, n);
      for (let i = 0; i < n; i++) view[i] = kernels.randomChiSquare(s, degrees);
    });
    expect(kolmogorov(draws, (x) => gammaCdf(degrees / 2, x / 2))).toBeLessThan(2.33);
  });

  test("addNormal adds, with the given deviation: Kolmogorov (4e-5)", () => {
    const n = 100_001;
    const draws = sample(n, 17, (s, at) => {
      arena.view(at, n).fill(10);
      kernels.addNormal(s, at, n, 3);
    });
    expect(kolmogorov(draws, (x) => normalCdf((x - 10) / 3))).toBeLessThan(2.33);
  });

  test("addLaplace: Kolmogorov (4e-5)", () => {
    const n = 200_000;
    const draws = sample(n, 18, (s, at) => kernels.addLaplace(s, at, n, 2));
    const cdf = (x: number) => (x < 0 ? 0.5 * Math.exp(x / 2) : 1 - 0.5 * Math.exp(-x / 2));
    expect(kolmogorov(draws, cdf)).toBeLessThan(2.33);
  });

  test.each([1, 2, 5, 30])("spherical Laplace in %d dimensions: norm and direction (1e-4)", (d) => {
    const n = 20_000;
    const norms = new Float64Array(n);
    const cosines = new Float64Array(n);
    const state = testStream(core, 19);
    const at = arena.zeros(d);
    const work = arena.bytes(kernels.addSphericalLaplaceWorkspace(d));
    for (let i = 0; i < n; i++) {
      arena.view(at, d).fill(0);
      kernels.addSphericalLaplace(state, at, d, 0.7, work);
      const b = arena.view(at, d);
      norms[i] = Math.sqrt(b.reduce((s, x) => s + x * x, 0));
      cosines[i] = b[d - 1]! / norms[i]!;
    }
    expect(kolmogorov(norms, (x) => gammaCdf(d, x / 0.7))).toBeLessThan(2.33);
    // Every coordinate of a uniform direction has mean 0 and variance 1 / d.
    const { mean, variance } = moments(cosines);
    expect(Math.abs(mean)).toBeLessThan(5 / Math.sqrt(n * d));
    if (d > 1) expect(Math.abs(variance * d - 1)).toBeLessThan(5 * Math.sqrt(2 / n));
  });

  test("symmetric normal: symmetric to the bit, variances 1 and 1/2, Kolmogorov (1e-4)", () => {
    const d = 300;
    const matrix = sample(d * d, 20, (s, at) => kernels.addSymmetricNormal(s, at, d, 2));
    const off: number[] = [];
    const diagonal: number[] = [];
    let differing = 0;
    for (let i = 0; i < d; i++) {
      diagonal.push(matrix[i * d + i]!);
      for (let j = 0; j < i; j++) {
        if (matrix[i * d + j] !== matrix[j * d + i]) differing++;
        off.push(matrix[i * d + j]!);
      }
    }
    expect(differing).toBe(0);
    expect(kolmogorov(Float64Array.from(diagonal), (x) => normalCdf(x / 2))).toBeLessThan(2.33);
    expect(kolmogorov(Float64Array.from(off), (x) => normalCdf(x / Math.SQRT2))).toBeLessThan(2.33);
  });
});
