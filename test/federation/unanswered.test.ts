/** Parties that nobody answers: they say so after a while, and end where their part is done. */
import { expect, test } from "vitest";
import { ParticipantMachine, RelayMachine, RunOverError } from "../../src/federation/index.js";
import { encodeFrame } from "../../src/federation/protocol/messages/frame.js";
import { makeTasks } from "../learning/tasks.js";

const data = makeTasks({ m: 1, d: 2, rows: () => 4 });
const joined = encodeFrame({ type: "joined", session: "s", plan: "p" });
const completed = encodeFrame({ type: "completed" });

interface Machine {
  handle(
    event: { type: "link"; state: "up" } | { type: "timer"; name: string },
  ): { type: string }[];
}

/** Kinds of what it does, from the time when the link comes up. */
function asks(machine: Machine, times: number): string[][] {
  const effects = [machine.handle({ type: "link", state: "up" })];
  for (let k = 0; k < times; k++) effects.push(machine.handle({ type: "timer", name: "retry" }));
  return effects.map((some) =>
    some.map((effect) => {
      const { status, error } = effect as { status?: { kind: string }; error?: Error };
      return error?.name ?? status?.kind ?? effect.type;
    }),
  );
}

const participant = (records?: readonly Uint8Array[]) =>
  new ParticipantMachine({ run: "r", participant: "p0", data, records });

test("a participant goes on asking, and says once that it waits", () => {
  for (const records of [undefined, [], [joined]]) {
    const told = asks(participant(records), 9).map((some) => some.includes("unanswered"));
    expect(told).toEqual([0, 0, 0, 0, 0, 1, 0, 0, 0, 0].map(Boolean));
  }
});

test("one whose models were kept ends with the sixth question, and says what happened", () => {
  const machine = participant([joined, completed]);
  const told = asks(machine, 5);
  expect(told.at(-1)).toEqual(["cancel", "RunOverError"]);
  expect(told.slice(0, -1).flat()).not.toContain("RunOverError");
  expect(machine.handle({ type: "timer", name: "retry" })).toEqual([]);
  expect(new RunOverError("r", "p0", "x").message).toMatch(
    /run "r" is over for p0: x, and nobody answers/,
  );
});

test("a relay goes on asking, and says once that it waits", () => {
  const told = asks(new RelayMachine({ run: "r", relay: "west" }), 40).flat();
  expect(told.filter((kind) => kind === "unanswered")).toHaveLength(1);
  expect(told.filter((kind) => kind === "send")).toHaveLength(41);
});
