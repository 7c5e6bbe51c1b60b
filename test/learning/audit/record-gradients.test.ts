/** Audits of fits that share gradients of records: sound ones pass and lose nearly what they say, planted faults are found. */
import { describe, expect, test } from "vitest";
import { makeEstimator } from "../../../src/learning/index.js";
import type { DividedEstimator } from "../../../src/learning/release/private-estimator.js";
import { auditOfRecords } from "./audit-of-records.js";
import { clipSkipped, noiseTooSmall, type Wrap } from "./wraps.js";
import { someOf, thoroughTest } from "../../thorough.js";

const sizes = { m: 3, d: 3, rows: (i: number) => 4 + (i % 3) };
const base = { unit: "record", epsilon: 2, delta: 0.01, rounds: 2, serverStepSize: 0.2 };

interface Asked extends Record<string, unknown> {
  /** Of the data, and of the audit. */
  readonly loss?: string;
  readonly rows?: number;
  readonly trials?: number;
}

function run(asked: Asked, seed: string, wrap?: Wrap) {
  const { rows, trials, ...options } = asked;
  const shape = rows === undefined ? sizes : { ...sizes, rows: () => rows };
  return auditOfRecords({
    method: "pmtl",
    options: { ...base, ...options },
    sizes: shape,
    trials,
    seed,
    wrap,
  });
}

// Fixed seeds. The audit of a sound fit alarms with probability at most 0.001.
describe("audit of pmtl with unit record", () => {
  const sound = [
    ["squared", {}],
    ["logistic", { loss: "logistic" }],
    ["zero-out", { adjacency: "zero-out", intercept: false }],
    ["a person's rows", { rowsPerPerson: 2 }],
    ["samples of rows", { adjacency: "zero-out", intercept: false, recordRate: 0.5, trials: 16 }],
    ["noisy models", { ownModel: "noisy", localSteps: 2 }],
  ] as const;
  test.each(someOf<(typeof sound)[number]>(sound, 6))(
    "%s: a sound fit passes",
    async (name, options) => {
      const report = await run(options, name);
      expect(report.checks.filter(({ passed }) => !passed)).toEqual([]);
      expect(report).toMatchObject({ verdict: "consistent", target: "fit" });
    },
    120_000,
  );

  const faults = [
    ["noise too small", noiseTooSmall, {}],
    ["clip skipped", clipSkipped, {}],
    [
      "noise too small where a record adds nothing",
      noiseTooSmall,
      { adjacency: "zero-out", intercept: false },
    ],
  ] as const;
  test.each(someOf<(typeof faults)[number]>(faults, 3))(
    "%s is found",
    async (name, wrap, options) => {
      expect((await run(options, name, wrap)).verdict).toBe("violated");
    },
    120_000,
  );

  thoroughTest(
    "noise for one row where a person has twenty is found",
    async () => {
      const few = { epsilon: 0.5, rows: 24 };
      const one = makeEstimator("pmtl", {
        ...base,
        epsilon: 0.5,
        random: { mode: "seeded", seed: 1 },
      }) as DividedEstimator;
      const ofOne: Wrap = (halves) => ({ ...halves, releases: (of) => one.halves.releases(of) });
      expect((await run({ rowsPerPerson: 20, ...few }, "person", ofOne)).verdict).toBe("violated");
    },
    120_000,
  );

  test("a zero row where the constant is a feature is refused", async () => {
    await expect(run({ adjacency: "zero-out" }, "refused")).rejects.toThrow(/^adjacency: no row/);
  });
});
