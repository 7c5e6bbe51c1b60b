/** What a participant's store says again: everything that must not be done twice. */
import { expect, test } from "vitest";
import {
  digestOf,
  integersRecord,
  readStoredState,
} from "../../../src/federation/participant/participant-records.js";
import { encodeFrame } from "../../../src/federation/protocol/messages/frame.js";

test("consent, digests of sizes and broadcasts, what was shown, opened sums and the open round's integers are read as they were kept", () => {
  const values = Float64Array.of(1, -2.5, 3);
  const records = [
    encodeFrame({ type: "joined", session: "s", plan: "p" }),
    encodeFrame({ type: "started", told: "ef" }),
    encodeFrame({ type: "shown", round: 1 }, values),
    encodeFrame({ type: "opened", round: 1 }),
    encodeFrame({ type: "heard", round: 1, digest: "ab" }),
    encodeFrame({ type: "begun", round: 2, attempt: 1 }),
    encodeFrame({ type: "begun", round: 2, attempt: 3 }),
    encodeFrame({ type: "opened", round: 2 }),
    encodeFrame({ type: "heard", round: 2, digest: "cd" }),
    integersRecord({ round: 3, values }),
    encodeFrame({ type: "drawn", round: 3 }),
    encodeFrame({ type: "completed" }),
  ];
  expect(readStoredState(records)).toEqual({
    joined: { session: "s", plan: "p" },
    told: "ef",
    received: new Map([
      [1, "ab"],
      [2, "cd"],
    ]),
    shown: [{ round: 1, values }],
    opened: [1, 2],
    begun: new Map([[2, 3]]),
    drawn: 3,
    integers: { round: 3, values },
    completed: true,
  });
  expect(readStoredState()).toEqual({ joined: undefined, told: undefined, received: new Map(), shown: [], opened: [], begun: new Map(), drawn: 0, integers: undefined, completed: false }); // prettier-ignore
  expect(() => readStoredState([encodeFrame({ type: "other" })])).toThrow("unknown type");
});

test("a digest is of all bits of a broadcast", () => {
  const values = Float64Array.of(0.1, 0, 7);
  expect(digestOf(values)).toBe(digestOf(values.slice()));
  expect(digestOf(Float64Array.of(0.1, -0, 7))).not.toBe(digestOf(values));
  expect(digestOf(values.subarray(0, 2))).not.toBe(digestOf(values));
  expect(digestOf(Float64Array.of(9, 0.1, 0, 7).subarray(1))).toBe(digestOf(values));
});
