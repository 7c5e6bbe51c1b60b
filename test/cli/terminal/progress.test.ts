/** How much time is left is told from the pace of what is being done, not of what was waited for before. */
import { afterEach, expect, test, vi } from "vitest";
import { openProgress } from "../../../src/cli/terminal/progress.js";
import { testIo } from "../io.js";

afterEach(() => vi.useRealTimers());

test("time before the first step, or of other steps, is no pace", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const io = testIo();
  const { update } = openProgress("json", io);
  const after = (seconds: number, done: number, label: string) => {
    vi.advanceTimersByTime(1000 * seconds);
    update(done, 100, label);
  };
  // An hour until there is a plan, then a second for each hundredth of a file, then ten for a round.
  after(3600, 1, "percent of the file");
  after(4, 5, "percent of the file");
  after(95, 100, "percent of the file");
  after(600, 1, "round");
  after(10, 2, "round");
  const left = io
    .err()
    .trim()
    .split("\n")
    .map(
      (line) => (JSON.parse(line) as { progress: { secondsLeft: number } }).progress.secondsLeft,
    );
  expect(left).toEqual([null, 95, 0, null, 980]);
});
