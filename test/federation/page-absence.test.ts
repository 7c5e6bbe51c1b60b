/** What a page says of its absence, and of an end without its models. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  endedBecause,
  linkLost,
  sleptLine,
  watchSleep,
} from "../../examples/federation/absence.js";
import { encodeMessage, ParticipantMachine, type Body } from "../../src/federation/index.js";
import { makeTasks } from "../learning/tasks.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a machine that is offline is told from a server that is away", () => {
  expect(linkLost(false)).toContain("This machine is offline");
  expect(linkLost(true)).toContain("The server does not answer");
});

test("a sleep is told once, with its length; the minute of a tab in the background is none", () => {
  const told: string[] = [];
  watchSleep((line) => told.push(line));
  vi.advanceTimersByTime(600_000);
  expect(told).toEqual([]);
  vi.setSystemTime(Date.now() + 12 * 60_000);
  vi.advanceTimersByTime(60_000);
  expect(told).toHaveLength(1);
  expect(told[0]).toContain("This tab slept for 12 minutes");
  expect(sleptLine(60_000)).toBeUndefined();
});

/** What ends a participant that is told this. */
function endedBy(body: Body): string {
  const data = makeTasks({ m: 1, d: 2, rows: () => 4 });
  const machine = new ParticipantMachine({ run: "unit", participant: "page", data });
  machine.handle({ type: "link", state: "up" });
  const plan = "a".repeat(64);
  const envelope = { run: "unit", session: "5".repeat(32), plan, participant: "page" };
  const message = encodeMessage(envelope, body);
  const effects = machine.handle({ type: "message", message, scope: "own" });
  return effects.map((effect) => (effect.type === "fail" ? effect.error.message : "")).join("");
}

test("a page of another release ends with what its owner can do, one that was expelled with that", () => {
  const other = endedBy({ type: "refused", reason: "other-version" });
  expect(endedBecause(other)).toMatch(/^This page is of another release than the curator: reload/);
  const expelled = endedBy({ type: "refused", reason: "expelled" });
  expect(endedBecause(expelled)).toMatch(/refused this participant \(expelled\)/);
});
