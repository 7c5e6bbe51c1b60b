/** What rounds with a sample are charged as: by themselves, or as one release of all of them. */
import { describe, expect, test } from "vitest";
import { deltaOf } from "../../../src/privacy/accounting/account.js";
import { randomAllocationEvent } from "../../../src/privacy/events/random-allocation.js";
import { gaussianEvent, subsampledGaussianEvent } from "../../../src/privacy/events/events.js";
import { sampledEvents, type Sampling } from "../../../src/privacy/mechanisms/sampled-events.js";

const noiseAt = (budget: number) =>
  ({ sigma: 3 / budget, sensitivity: 1, adjacency: "zero-out" }) as const;

describe("rounds", () => {
  test("of an allocation are one release, charged before the first; the later ones have events that cost nothing", () => {
    const { events } = sampledEvents({ kind: "allocation", picks: 2 }, noiseAt);
    const [first, ...later] = events!(1, 6);
    expect(first).toEqual(randomAllocationEvent({ sigma: 3, rounds: 6, picks: 2 }));
    expect(later).toHaveLength(5);
    for (const event of later) expect(deltaOf([event], { epsilon: 0 })).toBe(0);
    expect(events!(1, 2)).toHaveLength(2);
  });

  test.each<[Sampling, unknown]>([
    [{ kind: "all" }, gaussianEvent(noiseAt(2))],
    [{ kind: "fixed-size", size: 3 }, gaussianEvent(noiseAt(2))],
    [{ kind: "poisson", rate: 0.2 }, subsampledGaussianEvent({ ...noiseAt(2), rate: 0.2 })],
  ])("with the sample %o cost by themselves", (sampling, expected) => {
    const { event, events } = sampledEvents(sampling, noiseAt);
    expect(event(2)).toEqual(expected);
    expect(events).toBeUndefined();
  });
});
