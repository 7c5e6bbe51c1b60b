/** The host's clock: what waits for weeks is not called at once, and can be called off. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { realClock } from "../../../../src/federation/index.js";

const DAY = 24 * 3600 * 1000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each([1, 24, 25, 60])("a deadline of %i days passes then, and once", (days) => {
  const work = vi.fn();
  realClock.after(days * DAY, work);
  vi.advanceTimersByTime(days * DAY - 1);
  expect(work).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(work).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(100 * DAY);
  expect(work).toHaveBeenCalledTimes(1);
});

test("called off in its second month; and no end of waiting has none", () => {
  const work = vi.fn();
  const cancel = realClock.after(60 * DAY, work);
  const forever = realClock.after(Infinity, work);
  vi.advanceTimersByTime(40 * DAY);
  cancel();
  vi.advanceTimersByTime(400 * DAY);
  forever();
  expect(work).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

test("one that is late, as after a process was stopped, first lets what arrived be heard", () => {
  const work = vi.fn();
  const [armed, late] = [0, 60_000];
  const now = vi.spyOn(performance, "now").mockReturnValueOnce(armed).mockReturnValue(late);
  const cancel = realClock.after(10_000, work);
  vi.advanceTimersByTime(10_000);
  expect(work).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  expect(work).toHaveBeenCalledTimes(1);
  now.mockReturnValueOnce(armed);
  const other = realClock.after(10_000, work);
  vi.advanceTimersByTime(10_000);
  other();
  cancel();
  now.mockRestore();
  vi.advanceTimersByTime(DAY);
  expect(work).toHaveBeenCalledTimes(1);
});
