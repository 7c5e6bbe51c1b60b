/**
 * Posteriors of labels start from those before them, within one call: a fit has the same bits on one thread and on several, and where it goes on
 * from a journal, whose rounds ask nothing of tasks.
 */
import { describe, expect, test } from "vitest";
import { makeEstimator, type FitOptions } from "../../../../../src/learning/index.js";
import type { ReleaseJournal } from "../../../../../src/learning/round/release-journal.js";
import { Ledger } from "../../../../../src/privacy/index.js";
import { channelWorkers } from "../../../parallel/channel-workers.js";
import { makeClasses, makeLabelled } from "../../../tasks.js";
import { someOf } from "../../../../thorough.js";

const random = { mode: "seeded", seed: 3 } as const;
const sizes = { m: 9, d: 4, rows: (i: number) => 5 + (i % 4) };
const CASES = [
  ["mp-mixed", "logistic", { epsilon: 5, scale: "unit", random }],
  ["mp-mixed", "softmax", { epsilon: 5, scale: "unit", random }],
  ["mp-mixed", "logistic", { epsilon: 30, random }],
] as const;
const tasksOf = (loss: string) =>
  loss === "softmax" ? makeClasses({ ...sizes, classes: 3 }) : makeLabelled(sizes);

/** Keeps releases of one fit, and says whenever there is one more. */
function keptIn(releases: Float64Array[], written: () => void = () => undefined): ReleaseJournal {
  let ledger: Ledger | undefined;
  return {
    openLedger: (asked) => (ledger ??= new Ledger(asked)),
    read: (release) => releases[release - 1],
    write: (release, statistic) => {
      releases[release - 1] = statistic.slice();
      written();
    },
  };
}

describe.each(CASES)("%s, %s, %o", (method, loss, options) => {
  const tasks = tasksOf(loss);
  const fit = (hooks: FitOptions = {}) =>
    makeEstimator(method, { loss, ...options }).fit(tasks, hooks);

  test("has the bits of one thread on two and three", async () => {
    const { weights, components } = await fit();
    const { workers } = channelWorkers(3);
    for (const threads of someOf([3, 2], 2)) {
      const spread = await fit({ workers, threads });
      expect(spread.threads!.used).toBe(threads);
      expect(spread.weights).toEqual(weights);
      expect(spread.components).toEqual(components);
    }
    workers.close();
  });

  test("goes on from a journal of any length with the bits of an unbroken fit", async () => {
    const whole: Float64Array[] = [];
    const { weights, components } = await fit({ journal: keptIn(whole) });
    expect(whole.length).toBeGreaterThan(3);
    for (const length of someOf([...whole.keys()].slice(1), 3)) {
      const releases: Float64Array[] = [];
      const controller = new AbortController();
      const journal = keptIn(
        releases,
        () => releases.length === length && controller.abort(new Error("killed")),
      );
      await expect(fit({ journal, signal: controller.signal })).rejects.toThrow("killed");
      const resumed = await fit({ journal });
      expect(releases).toEqual(whole);
      expect(resumed.weights).toEqual(weights);
      expect(resumed.components).toEqual(components);
    }
  });
});
