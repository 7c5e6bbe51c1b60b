/** Without what secure sums need of a participant it takes no part, and is told which of the two is missing. */
import { expect, test } from "vitest";
import type { OfferedPlan } from "../../../src/federation/protocol/party/agreement.js";
import type { ParticipantOptions } from "../../../src/federation/participant/participant-events.js";
import { takePart } from "../../../src/federation/participant/take-part.js";

test("the identity's key, or the store", () => {
  const offered = {
    plan: { aggregation: { kind: "secure" } },
    hash: "0",
  } as unknown as OfferedPlan;
  const before = { opened: [], begun: new Map<number, number>() };
  const refusal = (options: object) => () =>
    takePart(offered, "session", options as ParticipantOptions, before);
  const identity = new Uint8Array(32);
  expect(refusal({ records: [] })).toThrow(/^identity: .* give the secret key whose public half/);
  expect(refusal({ identity })).toThrow(/^store: .* a store that can `hold` a record/);
  expect(refusal({ identity, records: [], holds: false })).toThrow(/^store: /);
});
