/** Whoever takes part in a run can bound how long it waits for the run's end. */
import { expect, test } from "vitest";
import { withinTime } from "../../../src/cli/federated/time-limit.js";
import { helperCommand } from "../../../src/cli/commands/helper.js";
import { joinCommand } from "../../../src/cli/commands/join.js";
import { relayCommand } from "../../../src/cli/commands/relay.js";

/** Work that ends when it is told to, with the reason. */
const forGood = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });

test("ends work at its time, and leaves alone what is done before", async () => {
  await expect(withinTime(0.02, forGood)).rejects.toThrow("not over within 0.02 s (--timeout)");
  let given: AbortSignal | undefined;
  const work = (signal: AbortSignal) => {
    given = signal;
    return Promise.resolve(7);
  };
  expect(await withinTime(0.02, work)).toBe(7);
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(given!.aborted).toBe(false);
  expect(await withinTime(undefined, work)).toBe(7);
});

test("what they agree to must be a hash: another word would wait for a plan, and be refused then", () => {
  for (const { options } of [joinCommand, helperCommand, relayCommand]) {
    const { schema } = options["accept"]!;
    const hash = "0f".repeat(32);
    expect(schema.accept(hash)).toBe(hash);
    for (const wrong of ["none", "", hash.slice(2), hash.toUpperCase()]) {
      expect(schema.accept(wrong)).toBeUndefined();
    }
  }
});

test("participants, helpers and relays have it", () => {
  for (const { options } of [joinCommand, helperCommand, relayCommand]) {
    expect(Object.keys(options)).toContain("timeout");
  }
});
