import * as fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { HostError, OptionError } from "../../src/core/index.js";
import { openCore } from "../../src/core/core.js";
import {
  normals,
  openStream,
  permutation,
  randomBits,
  sampleWishart,
  uniforms,
  type RandomOptions,
} from "../../src/random/index.js";
import { uniformBelow } from "../../src/random/uniform-below.js";
import { chiSquareTail } from "../assembly/statistics.js";

const core = openCore();
const seeded = (seed: string | number): RandomOptions => ({ mode: "seeded", seed });

describe("streams", () => {
  afterEach(() => void vi.unstubAllGlobals());

  test("the same seed gives the same draws, 1 and '1' are one seed, others differ", () => {
    const first = (seed: string | number, purpose = 0) =>
      normals(openStream(core, seeded(seed), purpose), 4).join();
    expect(first("a")).toBe(first("a"));
    expect(first(1)).toBe(first("1"));
    const all = [
      first("a"),
      first("b"),
      first("a", 1),
      first("a", 2 ** 32),
      first("a", 2 ** 53 - 1),
    ];
    expect(new Set(all).size).toBe(5);
  });

  test("draws of a seed stay what they are", () => {
    // Recorded once: a change here breaks every recorded seeded run.
    expect(Array.from(normals(openStream(core, seeded("a")), 3))).toMatchInlineSnapshot(`
      [
        -1.1720188506439877,
        -1.0481914482142067,
        1.5710968068148785,
      ]
    `);
  });

  test("secure streams differ and say so", () => {
    const a = openStream(core, { mode: "secure" });
    const b = openStream(core, { mode: "secure" });
    expect(a.mode).toBe("secure");
    expect(normals(a, 4)).not.toEqual(normals(b, 4));
  });

  test("a host without a cryptographic generator is refused, not replaced", () => {
    vi.stubGlobal("crypto", undefined);
    expect(() => openStream(core, { mode: "secure" })).toThrow(HostError);
    expect(() => openStream(core, { mode: "secure" })).toThrow("crypto.getRandomValues");
    expect(openStream(core, seeded("a")).mode).toBe("seeded");
  });

  test("close wipes key and buffered words; the key is nowhere else", () => {
    const fresh = openCore();
    const key = Uint32Array.from({ length: 8 }, (_, i) => 0xabcdef01 + 0x1111111 * i);
    vi.stubGlobal("crypto", {
      getRandomValues: (into: Uint32Array) => {
        into.set(key);
        return into;
      },
    });
    const words = () => {
      const { buffer } = fresh.kernels.memory;
      return new Uint32Array(buffer, 0, buffer.byteLength >> 2);
    };
    const found = () => words().filter((word) => key.includes(word)).length;
    const stream = openStream(fresh, { mode: "secure" });
    normals(stream, 10);
    expect(found()).toBe(8);
    stream.close();
    expect(found()).toBe(0);
    const state = stream.state >> 2;
    const end = state + (fresh.kernels.randomStateBytes() >> 2);
    expect(
      words()
        .subarray(state, end)
        .every((word) => word === 0),
    ).toBe(true);
  });

  test("refusals name the argument and never show the seed", () => {
    expect(() => openStream(core, seeded(""))).toThrow(
      "random.seed: expected a non-empty string or a finite number, got an empty string",
    );
    expect(() => openStream(core, seeded(NaN))).toThrow(TypeError);
    expect(() => openStream(core, { mode: "other" } as never)).toThrow(OptionError);
    expect(() => openStream(core, seeded("s"), -1)).toThrow("purpose: expected an integer >= 0");
  });
});

describe("draws", () => {
  /** Words of 32 bits, one by one. */
  const wordsOf = (seed: number) => {
    const stream = openStream(core, seeded(seed));
    return () => Number(randomBits(stream) & 0xffffffffn);
  };

  test("uniformBelow: uniform by chi-square, false alarm 1e-6", () => {
    const bound = 37;
    const counts = new Array<number>(bound).fill(0);
    const next = wordsOf(3);
    for (let k = 0; k < 100_000; k++) counts[uniformBelow(bound, next)]!++;
    const expected = 100_000 / bound;
    const x = counts.reduce((s, c) => s + (c - expected) ** 2 / expected, 0);
    expect(chiSquareTail(bound - 1, x)).toBeGreaterThan(1e-6);
  });

  test("uniformBelow: a bound that divides 2^32 badly is not biased, 5 standard errors", () => {
    // With word % bound the lower third would come twice as often as the rest.
    const bound = 3 * 2 ** 30;
    const n = 20_000;
    const next = wordsOf(4);
    const draws = Array.from({ length: n }, () => uniformBelow(bound, next));
    const low = draws.filter((k) => k < 2 ** 30).length;
    expect(Math.abs(low - n / 3)).toBeLessThan(5 * Math.sqrt((n * 2) / 9));
  });

  test("permutation: every order of four, by chi-square, false alarm 1e-6", () => {
    const stream = openStream(core, seeded(5));
    const counts = new Map<string, number>();
    for (let run = 0; run < 24_000; run++) {
      const order = permutation(stream, 4).join();
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect(counts.size).toBe(24);
    const x = [...counts.values()].reduce((s, c) => s + (c - 1000) ** 2 / 1000, 0);
    expect(chiSquareTail(23, x)).toBeGreaterThan(1e-6);
  });

  test("permutation holds every number once, and memory is given back", () => {
    const stream = openStream(core, seeded(6));
    const used = core.arena.used;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2000 }), (n) => {
        const order = permutation(stream, n);
        expect(Array.from(order.slice().sort())).toEqual(Array.from({ length: n }, (_, i) => i));
      }),
    );
    uniforms(stream, 1000);
    expect(core.arena.used).toBe(used);
  });
});

describe("sampleWishart", () => {
  test("one call, one stream: same seed, same matrix; a stream goes on", () => {
    const options = { dimension: 3, degreesOfFreedom: 2.5, scale: 2 };
    const a = sampleWishart(seeded("w"), options);
    expect(sampleWishart(seeded("w"), options)).toEqual(a);
    const stream = openStream(core, seeded("w"));
    expect(sampleWishart(stream, options)).toEqual(a);
    expect(sampleWishart(stream, options)).not.toEqual(a);
    expect(sampleWishart({ mode: "secure" }, options)).not.toEqual(a);
  });

  test("refusals", () => {
    const good = { dimension: 3, degreesOfFreedom: 4, scale: 1 };
    const call = (change: Partial<typeof good>) => () =>
      sampleWishart(seeded(1), { ...good, ...change });
    expect(call({ degreesOfFreedom: 2 })).toThrow(
      "degreesOfFreedom: expected more than dimension - 1 = 2, got 2",
    );
    expect(call({ scale: 0 })).toThrow("scale: expected scale > 0, got 0");
    expect(call({ dimension: 0 })).toThrow("dimension: expected an integer from 1 to 16384");
    expect(call({ degreesOfFreedom: NaN })).toThrow(RangeError);
  });
});
