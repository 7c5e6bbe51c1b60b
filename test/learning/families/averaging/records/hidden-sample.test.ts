/** Where nobody is to see who was drawn, a task that was not takes the steps it would have, on a copy. */
import { describe, expect, test } from "vitest";
import { openCore } from "../../../../../src/core/index.js";
import { publicSizes } from "../../../../../src/learning/release/public-sizes.js";
import { Pmtl, type PmtlOptions } from "../../../../../src/learning/index.js";
import { lineModel } from "../../../line-model.js";
import { makeTasks } from "../../../tasks.js";

const tasks = makeTasks({ m: 4, d: 3, rows: (i) => 6 + i });
const CASES: [string, Partial<PmtlOptions>][] = [
  ["gradient steps", { localSteps: 3 }],
  ["steps all at once", { localSteps: 50 }],
  ["solved", { localSteps: "solve" }],
  ["mini-batches", { localSteps: 3, batchSize: 2 }],
  ["updates from one's own model", { localSteps: 3, batchSize: 2, update: "from-local" }],
];

/** Four rounds of a batch of tasks, with made-up messages: what was shared, and the last models. */
function rounds(
  options: Partial<PmtlOptions>,
  marks: readonly (readonly number[])[],
  hideSample: boolean,
) {
  const { halves } = new Pmtl({
    delta: 1e-3,
    rounds: marks.length,
    safeguard: false,
    ...options,
    random: { mode: "seeded", seed: 3 },
    sampling: { kind: "fixed-size", size: 2 },
  });
  const core = openCore();
  const sizes = publicSizes(tasks);
  const half = halves.participants({
    core,
    data: tasks,
    sizes,
    positions: [0, 1, 2, 3],
    classes: null,
    start: null,
    releases: halves.releases({ sizes, outputs: 1 }),
    hideSample,
  });
  const { m, uploadLength: d } = half.stages[0]!;
  const shared = marks.map((row, r) => {
    const at = half.stages[0]!.upload(r + 1, Uint8Array.from(row));
    const values = core.arena.view(at, m * d).slice();
    const message = core.arena.copyOf(Float64Array.of(0.1 * r, -0.2, 0.3));
    half.stages[0]!.receive(message, r + 1, r + 1 === marks.length);
    return values;
  });
  return { shared, models: half.models().weights };
}

const MARKS = [
  [1, 0, 1, 0],
  [0, 0, 0, 0],
  [1, 1, 0, 0],
  [0, 1, 1, 1],
];

describe("work on copies", () => {
  test.each(CASES)("changes neither models nor what is shared: %s", (_name, options) => {
    expect(rounds(options, MARKS, true)).toEqual(rounds(options, MARKS, false));
  });

  test("is as much as taking part: evaluations of the model are the same whoever was drawn", () => {
    const evaluations = (marks: number[][], hidden: boolean) => {
      const line = lineModel(3);
      const rows: number[] = [];
      const model: typeof line = {
        ...line,
        valueAndGradient: (w, x, y, g) => {
          rows.push(y.length);
          return line.valueAndGradient(w, x, y, g);
        },
      };
      rounds({ localSteps: 2, model }, marks, hidden);
      return rows.length;
    };
    const all = evaluations([[1, 1, 1, 1]], true);
    for (const marks of MARKS) expect(evaluations([marks], true)).toBe(all);
    expect(evaluations([[0, 1, 0, 0]], false)).toBeLessThan(all);
  });
});
