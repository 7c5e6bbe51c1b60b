/** Reminders wait for those who are busy, and double their waits for those who are gone. */
import { describe, expect, test } from "vitest";
import { Reminders } from "../../../../src/federation/secure-aggregation/run/reminders.js";

/** Which of so many times in a row they are due, from the first on. */
function due(reminders: Reminders, times: number): number[] {
  return Array.from({ length: times }, (_, i) => i + 1).filter(() => reminders.areDue());
}

describe("reminders", () => {
  let missing = 10;
  const begun = (phase = "1 keys") => {
    missing = 10;
    const reminders = new Reminders(() => missing);
    reminders.begin(phase);
    return reminders;
  };

  test("are due the first, second, fourth and every eighth time that nothing has come", () => {
    expect(due(begun(), 40)).toEqual([1, 2, 4, 8, 16, 24, 32, 40]);
  });

  test("are not due while answers come in, and begin anew when they cease to", () => {
    const reminders = begun();
    expect(due(reminders, 3)).toEqual([1, 2]);
    for (; missing > 4; missing--) {
      if (missing < 10) expect(reminders.areDue()).toBe(false);
    }
    expect(reminders.areDue()).toBe(false);
    expect(due(reminders, 5)).toEqual([1, 2, 4]);
  });

  test("begin anew with what is awaited, and with nothing else", () => {
    const reminders = begun();
    expect(due(reminders, 3)).toEqual([1, 2]);
    reminders.begin("1 keys");
    expect(due(reminders, 1)).toEqual([1]); // the fourth
    // Of more participants than the phase before had left: those that are missing now did not come.
    missing = 20;
    reminders.begin("1 shares");
    expect(due(reminders, 3)).toEqual([1, 2]);
  });
});
