/**
 * Leader and helper: the sum of what is honest, with both aggregators' noise, and nothing of what is not.
 */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normBound } from "../../../../src/federation/verified-sums/index.js";
import { REFUSALS } from "../../../../src/federation/verified-sums/aggregators/helper.js";
import {
  reportBytes,
  taskIntegers,
} from "../../../../src/federation/verified-sums/aggregators/report.js";
import { shareEvent } from "../../../../src/federation/secure-aggregation/integers/noise.js";
import { squaredSensitivity } from "../../../../src/federation/secure-aggregation/integers/fixed-point.js";
import { verifiedMechanism } from "../../../../src/federation/verified-sums/plan/mechanism.js";
import { epsilonOf, gaussianEpsilon } from "../../../../src/privacy/index.js";
import { thorough } from "../../../thorough.js";
import { openDesk, termsOf } from "./desk.js";
import { lyingPine } from "../proof/instances.js";

const STATISTICS = ["vector", "covariance", "diagonal", "augmented-covariance"] as const;

/** Entries of one sum less those of another. */
const less = (a: Float64Array, b: Float64Array) => a.map((x, i) => x - b[i]!);

describe("a verified sum", () => {
  test.each(STATISTICS)("%s: the plain sum of the integers, and the noise of both", (statistic) => {
    const desk = openDesk(termsOf({ statistic }));
    const vectors = [
      [0.6, -0.8, 0],
      [3, 4, 12],
      [-0.01, 0.02, 0.03],
    ];
    const plain = new Float64Array(desk.terms.grid.entries);
    vectors.forEach((vector, i) => {
      const integers = taskIntegers(desk.terms.grid, Float64Array.from(vector));
      integers.forEach((x, j) => (plain[j]! += x));
      expect(desk.send(`p${i}`, desk.honest(`p${i}`, vector))).toBe("accepted");
    });
    expect(desk.leader.accepted).toEqual(["p0", "p1", "p2"]);
    expect([...less(desk.open(), desk.noise())]).toEqual([...plain]);
  });

  test("refuses by name what is over the norm, and goes on without it", () => {
    const desk = openDesk(termsOf());
    const { radius } = desk.terms.grid.lattice;
    expect(desk.send("honest", desk.honest("honest", [1, 0, 0]))).toBe("accepted");
    const over = Float64Array.of(radius, 1, 0);
    expect(desk.send("liar", desk.report("liar", over))).toBe("proof");
    const giant = Float64Array.of(2 ** 50, 0, 0);
    expect(() => desk.report("giant", giant)).toThrow(/norm within the bound/);
    const pretended = lyingPine(desk.terms.pine, { productBound: 2n ** 55n });
    expect(desk.send("giant", desk.report("giant", giant, pretended))).toBe("proof");
    expect(desk.leader.accepted).toEqual(["honest"]);
    for (const { refused } of [desk.leader, desk.helper]) {
      expect([...refused]).toEqual([
        ["liar", "proof"],
        ["giant", "proof"],
      ]);
    }
    expect([...less(desk.open(), desk.noise())]).toEqual([radius, 0, 0]);
  });

  test("refuses whatever was altered, renamed or of another round", () => {
    const desk = openDesk(termsOf());
    const other = openDesk(desk.terms, desk.core);
    const bytes = reportBytes(desk.terms.pine);
    const honest = (name: string) => desk.honest(name, [0.1, 0.2, 0.3]);
    let count = 0;
    fc.assert(
      fc.property(fc.nat({ max: bytes - 1 }), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const name = `altered-${count++}`;
        const report = honest(name);
        report[at]! ^= by;
        // The helper's sealed share is the helper's to refuse; the rest is the leader's.
        expect(desk.send(name, report)).toBe("sealed");
      }),
      { numRuns: 8 },
    );
    expect(desk.send("thief", honest("victim"))).toBe("sealed");
    expect(desk.send("elsewhere", other.honest("elsewhere", [0, 0, 0]))).toBe("sealed");
    expect(desk.send("short", honest("short").subarray(1))).toBe("malformed");
    expect(desk.send("empty", new Uint8Array())).toBe("malformed");
    const swapped = (message: Uint8Array) => {
      const changed = message.slice();
      // The public share as the helper sees it: 16 bytes of nonce before it.
      changed[16 + 5]! ^= 1;
      return changed;
    };
    expect(desk.send("shown another", honest("shown another"), swapped)).toBe("sealed");
    const lost = (message: Uint8Array) => message.subarray(1);
    expect(desk.send("cut", honest("cut"), lost)).toBe("malformed");
    const tampered = (message: Uint8Array) => {
      const changed = message.slice();
      changed[changed.length - 100]! ^= 1;
      return changed;
    };
    expect(desk.send("changed", honest("changed"), tampered)).toBe("proof");
    expect(desk.helper.refused).toEqual(
      new Map([...desk.leader.refused].filter(([name]) => desk.helper.refused.has(name))),
    );
    expect(desk.send("honest", honest("honest"))).toBe("accepted");
    expect(desk.leader.accepted).toEqual(["honest"]);
    expect(desk.open()).toHaveLength(3);
  });

  test("takes a participant's first report only, and gives its sum out once", () => {
    const desk = openDesk(termsOf());
    expect(desk.send("p", desk.honest("p", [1, 0, 0]))).toBe("accepted");
    expect(desk.send("p", desk.honest("p", [0, 1, 0]))).toBe("twice");
    expect(() => desk.helper.give(["p", "p"])).toThrow(/each once/);
    expect(() => desk.helper.give(["q"])).toThrow(/got q/);
    desk.open();
    expect(() => desk.helper.give(["p"])).toThrow(/once, and that was done/);
    expect(() => desk.leader.open(new Uint8Array(24))).toThrow(/once, and that was done/);
    expect(() => desk.leader.open(new Uint8Array(23))).toThrow(/malformed/);
    expect(() => desk.leader.answer("nobody", new Uint8Array(1))).toThrow(/nothing of nobody/);
  });

  test("settles whose reports are in the sum before the helper gives its share", () => {
    const desk = openDesk(termsOf());
    desk.send("p", desk.honest("p", [1, 0, 0]));
    const slow = desk.leader.receive("slow", desk.honest("slow", [0, 1, 0]));
    const reply = desk.helper.receive("slow", (slow as { message: Uint8Array }).message);
    const included = desk.leader.close();
    expect(included).toEqual(["p"]);
    expect(desk.leader.answer("slow", reply)).toBe("late");
    expect(desk.send("later", desk.honest("later", [0, 0, 1]))).toBe("late");
    const share = desk.helper.give(included);
    expect([...desk.helper.receive("last", new Uint8Array())]).toEqual([REFUSALS.indexOf("late")]);
    const { radius } = desk.terms.grid.lattice;
    expect([...less(desk.leader.open(share), desk.noise())]).toEqual([radius, 0, 0]);
  });

  test("gives nothing out once it is wiped", () => {
    const desk = openDesk(termsOf());
    desk.send("p", desk.honest("p", [1, 0, 0]));
    const share = desk.helper.give(["p"]);
    desk.leader.wipe();
    desk.helper.wipe();
    expect(() => desk.leader.open(share)).toThrow(/once/);
    expect(() => desk.helper.give(["p"])).toThrow(/once/);
  });

  test("two aggregators of one seed draw noise of their own", () => {
    const desk = openDesk(termsOf({ dimension: 40 }));
    const share = desk.helper.give([]);
    const helper = new BigInt64Array(share.slice().buffer);
    const leader = less(desk.noise(), Float64Array.from(helper, Number));
    // The same noise twice would be the same numbers; so would hardly any two of 40 be by chance.
    const same = leader.filter((x, i) => x === Number(helper[i]));
    expect(same.length).toBeLessThan(3);
  });
});

describe("its mechanism", () => {
  test.each(["replace", "zero-out"] as const)("%s: charges one aggregator's noise", (adjacency) => {
    for (const statistic of STATISTICS) {
      const { grid, event, steps } = termsOf(
        { statistic, adjacency, dimension: 6 },
        { budget: 0.5 },
      );
      expect(event).toEqual(shareEvent(grid, steps, 1));
      expect(grid.squaredSensitivity).toBe(squaredSensitivity(statistic, grid.lattice, adjacency));
      // mu 0.5 at most: the price of the grid is below a thousandth.
      const epsilon = epsilonOf([event], { delta: 1e-5 });
      expect(epsilon).toBeLessThanOrEqual(gaussianEpsilon(0.5, 1e-5) * 1.001);
      expect(epsilon).toBeGreaterThan(gaussianEpsilon(0.5, 1e-5) * 0.99);
    }
  });

  test("proves a bound that every honest report holds", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...STATISTICS),
        fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 3, maxLength: 3 }),
        fc.double({ min: 0.01, max: 50, noNaN: true }),
        (statistic, vector, clip) => {
          const { grid } = verifiedMechanism({
            statistic,
            tasks: 9,
            dimension: 3,
            clip,
            delta: 1e-5,
          });
          const integers = taskIntegers(grid, Float64Array.from(vector));
          const squared = [...integers].reduce((sum, x) => sum + BigInt(x) ** 2n, 0n);
          expect(squared <= normBound(grid) ** 2n).toBe(true);
        },
      ),
    );
  });

  test("says what it needs", () => {
    const asked = {
      statistic: "covariance",
      tasks: 5,
      dimension: 3,
      clip: 1,
      delta: 1e-5,
    } as const;
    expect(() => verifiedMechanism(asked, { precision: 20 })).toThrow(
      /precision: .* lower precision/,
    );
    expect(() => verifiedMechanism({ ...asked, delta: 0 })).toThrow(/Gaussian/);
    expect(verifiedMechanism(asked).grid.precision).toBe(15);
    expect(verifiedMechanism({ ...asked, statistic: "vector" }).grid.precision).toBe(16);
    expect(verifiedMechanism(asked).why).toMatch(/each of two aggregators/);
  });
});

describe("many times more liars than honest participants", () => {
  test("are all refused by name, and the sum is that of the honest (fewer of them unless MP_MTL_TESTS=all)", () => {
    const desk = openDesk(termsOf({ tasks: 100, dimension: 30 }));
    const { radius } = desk.terms.grid.lattice;
    const pretended = lyingPine(desk.terms.pine, { productBound: 2n ** 55n });
    const honest = Array.from({ length: thorough ? 10 : 4 }, (_, i) => `p${i}`);
    // Where all tests are asked for every lie at every entry; the bench has a thousand liars.
    const liars = Array.from({ length: thorough ? 90 : 8 }, (_, i) => `liar${i}`);
    const plain = new Float64Array(30);
    for (const [i, name] of [...liars, ...honest].entries()) {
      const integers = new Float64Array(30);
      if (i < liars.length) {
        // Over by the least there is, by a factor, or by as much as it pretends to prove.
        const lie = (i + Math.floor(i / 30)) % 3;
        integers[i % 30] = [radius + 1, -3 * radius, 2 ** 45][lie]!;
        const bytes = desk.report(name, integers, lie === 2 ? pretended : desk.terms.pine);
        expect(desk.send(name, bytes)).toBe("proof");
      } else {
        integers[i % 30] = radius;
        plain[i % 30]! += radius;
        expect(desk.send(name, desk.report(name, integers))).toBe("accepted");
      }
    }
    expect(desk.leader.accepted).toEqual(honest);
    expect([...desk.leader.refused.keys()]).toEqual(liars);
    expect([...less(desk.open(), desk.noise())]).toEqual([...plain]);
  }, 1_800_000);
});
