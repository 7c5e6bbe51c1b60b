/** How many runs a private selection makes: as many as fresh bits of its own stream say by the law that is accounted. */
import { afterEach, expect, test, vi } from "vitest";
import { openCore } from "../../../src/core/index.js";
import { expandGrid, selectPrivately } from "../../../src/learning/index.js";
import { HeldOut } from "../../../src/learning/tuning/held-out.js";
import {
  drawRepetitions,
  repetitionsOfMean,
  type Repetitions,
} from "../../../src/privacy/index.js";
import { openStream, randomBits, type RandomOptions } from "../../../src/random/index.js";
import { streamNumber } from "../../../src/random/stream-numbers.js";
import { makeTasks } from "../../learning/tasks.js";

const tasks = makeTasks({ m: 6, d: 2, rows: () => 6 });

afterEach(() => {
  vi.restoreAllMocks();
});

/** Runs that were made, each being judged once. */
async function runsOf(random: RandomOptions, repetitions: Repetitions): Promise<number> {
  const judged = vi.spyOn(HeldOut.prototype, "utilities");
  judged.mockClear();
  await selectPrivately(tasks, {
    method: "private-fedavg",
    repetitions,
    folds: 2,
    options: { epsilon: 3, delta: 1e-3, rounds: 1, random },
    candidates: expandGrid({ clip: [1, 2] }),
  });
  return judged.mock.calls.length;
}

test.each([
  ["logarithmic", repetitionsOfMean(0, 3)],
  ["poisson", { kind: "poisson", mean: 2 }],
] as [string, Repetitions][])("%s", async (_, repetitions) => {
  const counts: number[] = [];
  for (const seed of ["a", "b", "c", "d"]) {
    const random = { mode: "seeded", seed } as const;
    const stream = openStream(openCore(), random, streamNumber.selection);
    const drawn = drawRepetitions(repetitions, () => randomBits(stream));
    stream.close();
    counts.push(await runsOf(random, repetitions));
    expect(counts.at(-1), seed).toBe(drawn);
  }
  // Nobody could tell them before.
  expect(new Set(counts).size).toBeGreaterThan(1);
});
