/** Audits of fits that share models which one record moves little: sound ones pass, planted faults are found. */
import { describe, expect, test } from "vitest";
import { auditOfRecords } from "./audit-of-records.js";
import { noiseTooSmall, type Wrap } from "./wraps.js";
import { someOf } from "../../thorough.js";

const base = { unit: "record", epsilon: 2, delta: 0.01, scale: "unit" };

interface Asked extends Record<string, unknown> {
  readonly method?: string;
  readonly loss?: string;
  readonly rows?: number;
}

const sizesOf = (rows: number) => ({ m: 3, d: 3, rows: () => rows });

function run(asked: Asked, seed: string, wrap?: Wrap) {
  const { rows = 40, method = "mp-feature-learning", ...options } = asked;
  return auditOfRecords({
    method,
    options: { ...base, ...options },
    sizes: sizesOf(rows),
    seed,
    wrap,
  });
}

/** Noise of a fit of tasks with twenty times the rows: each record is taken to weigh a twentieth. */
const ofManyRows: Wrap = (halves) => ({
  ...halves,
  releases: (context) =>
    halves.releases({ ...context, sizes: { ...context.sizes, rows: 20 * context.sizes.rows } }),
});

// Fixed seeds. The audit of a sound fit alarms with probability at most 0.001.
describe("audit of unit record where models are shared", () => {
  const sound = [
    ["feature learning", {}],
    ["hierarchical", { method: "mp-hierarchical" }],
    ["few rows", { rows: 4 }],
    ["logistic", { loss: "logistic" }],
    ["zero-out", { adjacency: "zero-out", intercept: false }],
    ["a person's rows", { rowsPerPerson: 3 }],
    ["two rounds", { rounds: 2 }],
  ] as const;
  test.each(someOf<(typeof sound)[number]>(sound, sound.length))(
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
    ["noise too small, hierarchical", noiseTooSmall, { method: "mp-hierarchical" }],
    ["noise too small, zero-out", noiseTooSmall, { adjacency: "zero-out", intercept: false }],
    ["noise for more rows than there are", ofManyRows, {}],
  ] as const;
  test.each(someOf<(typeof faults)[number]>(faults, 6))(
    "%s is found",
    async (name, wrap, options) => {
      expect((await run(options, name, wrap)).verdict).toBe("violated");
    },
    120_000,
  );

  test("a row of zeros where the constant is a feature is refused", async () => {
    await expect(run({ adjacency: "zero-out" }, "refused")).rejects.toThrow(/^adjacency: an audit/);
  });
});
