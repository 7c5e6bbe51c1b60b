/** What comes of no options, or of another thing in their place: an error of the library's, never one that an engine makes. */
import { expect, test } from "vitest";
import { joinRun, makePlan, runCurator, runRelay, simulateFederation } from "../../src/federation/index.js"; // prettier-ignore
import { AggregationCurator } from "../../src/federation/secure-aggregation/attempt/curator.js";
import { runHelper } from "../../src/federation/verified-sums/index.js";

const CALLED: readonly [string, (given: never) => unknown, string][] = [
  ["makePlan", makePlan, "plan"],
  ["joinRun", joinRun, "options"],
  ["runCurator", runCurator, "options"],
  ["runRelay", runRelay, "options"],
  ["runHelper", runHelper, "options"],
  ["simulateFederation", simulateFederation, "options"],
];

test.each(CALLED)("%s says which argument it misses", async (_, call, name) => {
  for (const given of [undefined, null, 3]) {
    const called = async () => await call(given as never);
    await expect(called()).rejects.toThrow(new RegExp(`^${name}: expected an object, got `));
  }
});

test("a run says what of its options is missing", async () => {
  await expect(runCurator({} as never)).rejects.toThrow("transport: expected an object");
  const transport = { close: () => undefined } as never;
  await expect(runCurator({ transport } as never)).rejects.toThrow("plan: expected an object");
  await expect(simulateFederation({} as never)).rejects.toThrow("plan: expected an object");
  await expect(simulateFederation({ plan: {} } as never)).rejects.toThrow(/^tasks: expected/);
});

test("a curator of many participants, half of whom are absent, is there at once", () => {
  const participants = 300_000;
  const excluded = Array.from({ length: participants / 2 }, (_, i) => 2 * i);
  const setting = { parties: { participants, threshold: 1 }, neighbourhood: {} } as never;
  const { missing } = new AggregationCurator({ setting, excluded });
  expect(missing).toHaveLength(participants / 2);
  expect(missing[0]).toBe(1);
});
