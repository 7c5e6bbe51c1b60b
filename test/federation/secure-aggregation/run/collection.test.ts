/** Attempts at a round's sum: what belongs to an earlier one is nobody's fault. */
import { expect, test } from "vitest";
import { AggregationParticipant } from "../../../../src/federation/secure-aggregation/attempt/participant.js";
import { randomBytesFrom } from "../../../../src/federation/secure-aggregation/keys/random-bytes.js";
import {
  SecureCollection,
  type CollectionOptions,
} from "../../../../src/federation/secure-aggregation/run/collection.js";
import { planAggregation } from "../../../../src/federation/secure-aggregation/plan/planned.js";
import { identity } from "../harness.js";
import { aggregationGrid } from "../../../../src/federation/secure-aggregation/integers/numbers.js";
import {
  createSetting,
  everyone,
} from "../../../../src/federation/secure-aggregation/attempt/setting.js";
import { parties } from "../../../../src/federation/secure-aggregation/plan/parties.js";
import { sessionId } from "../../../../src/federation/secure-aggregation/keys/session.js";
import {
  termsDigest,
  type RoundTerms,
} from "../../../../src/federation/secure-aggregation/plan/terms.js";

const names = ["a", "b", "c"];
const grid = aggregationGrid({
  statistic: "vector",
  tasks: 3,
  dimension: 2,
  clip: 1,
  adjacency: "replace",
});

/** A collection of three, and what participant a says first in an attempt at round 1. */
function collecting(output: object, records: object[] = []) {
  const terms = { grid, steps: 1, bits: 64 } as RoundTerms;
  const collection = new SecureCollection({
    planned: planAggregation({
      participants: names.map((name, i) => ({
        name,
        identity: Buffer.from(identity(i).public).toString("hex"),
      })),
      colluding: 0,
    }),
    plan: "plan",
    run: "run",
    terms: [terms],
    output: { keep: () => undefined, ...output },
    registry: { positionsOf: () => [0], isExpelled: () => false },
    records,
  } as unknown as CollectionOptions);
  const keysOf = (attempt: number) => {
    const numbers = parties({ participants: 3, colluding: 0 });
    const setting = createSetting({
      parties: numbers,
      neighbourhood: everyone(numbers),
      entries: grid.entries,
      bits: 64,
      identities: names.map((_, i) => identity(i).public),
      session: sessionId({ plan: "plan", run: "run", round: 1, attempt }),
      numbers: termsDigest(terms),
    });
    const [effect] = new AggregationParticipant({
      setting,
      index: 0,
      identity: identity(0).secret,
      values: new Float64Array(grid.entries),
      random: randomBytesFrom({ mode: "seeded", seed: "a" }),
    }).start();
    if (effect?.kind !== "send") throw new Error("no keys");
    return {
      run: "run",
      session: "s",
      plan: "plan",
      participant: "a",
      ...({ type: "aggregate", round: 1, attempt } as const),
      bytes: effect.message as Uint8Array<ArrayBuffer>,
    };
  };
  return { collection, keysOf };
}

test("a message of an earlier attempt is let be: its sender is not refused", () => {
  const told: unknown[] = [];
  const output = {
    tell: (_: string, body: unknown) => told.push(body),
    status: (status: unknown) => told.push(status),
  };
  // An earlier process began the first attempt.
  const { collection, keysOf } = collecting(output, [{ type: "attempt", round: 1, attempt: 1 }]);
  collection.open(1);
  expect(told).toHaveLength(3);
  told.length = 0;
  collection.receive("a", keysOf(1));
  expect(told).toEqual([]);
  // Under the present number it is heeded, and found to be of another attempt.
  collection.receive("a", { ...keysOf(1), attempt: 2 });
  expect(told).toEqual([
    { kind: "refused", participant: "a", why: "of another run, round or attempt" },
  ]);
  told.length = 0;
  collection.receive("a", keysOf(2));
  expect(told).toEqual([]);
});

test("who has not answered is told again: not while others answer, then after waits that double", () => {
  const told: string[] = [];
  const { collection, keysOf } = collecting({ tell: (name: string) => told.push(name) });
  collection.open(1);
  expect(told.splice(0)).toEqual(["a", "b", "c"]);
  collection.receive("a", keysOf(1));
  collection.remind();
  expect(told).toEqual([]);
  const afterEach = Array.from({ length: 5 }, () => {
    collection.remind();
    return told.splice(0).join("");
  });
  expect(afterEach).toEqual(["bc", "bc", "", "bc", ""]);
  // Who asks is told at once, and so are all when the link is up again.
  collection.remind("c");
  expect(told.splice(0)).toEqual(["c"]);
  collection.resume();
  expect(told.splice(0)).toEqual(["b", "c"]);
});
