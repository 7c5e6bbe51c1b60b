/**
 * Algorithm 1 with callbacks: against Algorithm 3's own rule, and what the callbacks are given.
 */
import { expect, test } from "vitest";
import { MpFramework, type StepInput } from "../../../../src/learning/index.js";
import { makeTasks } from "../../tasks.js";

const tasks = makeTasks({ m: 5, d: 3, rows: () => 6 });
const random = { mode: "seeded", seed: 1 } as const;
const quiet = { epsilon: 1e9, delta: 1e-3, random } as const;

test("a rule and a step see releases and own rows only, as copies", async () => {
  const seen: StepInput[] = [];
  const model = await new MpFramework({
    ...quiet,
    statistic: "task-covariance",
    rounds: 2,
    clip: 2,
    rule: ({ released, m, round }) => {
      expect(released).toHaveLength(round);
      expect(released[0]).toHaveLength(m * m);
      return released.at(-1)!;
    },
    step: (input) => {
      seen.push(input);
      input.x.fill(7);
      return input.upload.map((w) => w / 2);
    },
  }).fit(tasks);
  expect(seen).toHaveLength(10);
  expect(seen[0]!.upload).toHaveLength(3);
  expect(seen[0]!.x).toHaveLength(18);
  // The released diagonal holds the squared norms of the shared models, at almost no noise.
  const norm = seen[1]!.upload.reduce((sum, w) => sum + w * w, 0);
  expect(seen[1]!.broadcast[6]).toBeCloseTo(norm, 2);
  expect(seen[5]!.previous).toEqual(seen[0]!.model);
  expect(model.ledger!.entries).toHaveLength(2);
  const { event } = model.ledger!.entries[0]!;
  // Exact noise adds what rounding can move to the sensitivity, a 1e-14th here.
  expect((event as unknown as { sensitivity: number }).sensitivity).toBeCloseTo(
    4 * Math.sqrt(32),
    9,
  );
  expect(model.weights.subarray(0, 3)).toEqual(seen[5]!.upload.map((w) => w / 2));
});

test("answers are checked", async () => {
  const make = (rule: () => Float64Array, step: () => Float64Array) =>
    new MpFramework({ ...quiet, statistic: "diagonal", rule, step }).fit(tasks);
  const fine = () => new Float64Array(3);
  await expect(make(() => new Float64Array(2), fine)).rejects.toThrow("rule: the broadcast");
  await expect(make(fine, () => Float64Array.of(1, NaN, 2))).rejects.toThrow('task "task-0"');
});

test("answers may be plain arrays, but neither promises nor what is no number", async () => {
  const fit = (rule: () => unknown, step: (of: StepInput) => unknown) =>
    new MpFramework({
      ...quiet,
      statistic: "diagonal",
      rule: rule as () => number[],
      step: step as () => number[],
    }).fit(tasks);
  const half = ({ upload }: StepInput) => upload.map((w) => w / 2);
  const [plain, typed] = await Promise.all([
    fit(
      () => [1, 2, 3],
      (of) => [...half(of)],
    ),
    fit(() => Float64Array.of(1, 2, 3), half),
  ]);
  expect(plain.weights).toEqual(typed.weights);
  const late = () => Promise.resolve([1, 2, 3]);
  await expect(fit(late, half)).rejects.toThrow(
    "rule: the broadcast: expected a Float64Array or an array of numbers, got a promise",
  );
  await expect(fit(() => [1, 2, 3], late)).rejects.toThrow(
    `the new model of task "${tasks.names[0]}"`,
  );
  await expect(fit(() => [1, null, 3], half)).rejects.toThrow("entry 1 is");
  await expect(fit(() => [1, 2], half)).rejects.toThrow("expected 3 entries, got 2");
  await expect(fit(() => undefined, half)).rejects.toThrow("got undefined");
});
