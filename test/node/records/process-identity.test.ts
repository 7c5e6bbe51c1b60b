import { uptime } from "node:os";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isSeenRunning, thisProcess } from "../../../src/node/records/process-identity.js";

test("this process is seen to run, and says who it is", () => {
  const own = thisProcess();
  expect(own.pid).toBe(process.pid);
  expect(isSeenRunning(own)).toBe(true);
  for (const pid of [0, -process.pid, 1.5, NaN]) expect(isSeenRunning({ ...own, pid })).toBe(false);
});

test.skipIf(process.platform !== "linux")(
  "its start is when the system says that it started",
  () => {
    const { started, boot, namespace } = thisProcess();
    // In hundredths of a second since the machine's start, on every system that Node runs on.
    const seconds = uptime() - process.uptime();
    expect(Math.abs(Number(started) / 100 - seconds)).toBeLessThan(5);
    expect(boot).toBe(readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, -1));
    expect(namespace).toMatch(/^pid:\[\d+\]$/);
  },
);

test.skipIf(process.platform !== "linux")(
  "another one is who it says only with all that Linux tells",
  () => {
    const own = thisProcess();
    // A container names its host as it likes.
    expect(isSeenRunning({ ...own, host: "another" })).toBe(true);
    expect(isSeenRunning({ ...own, boot: "another" })).toBe(false);
    expect(isSeenRunning({ ...own, namespace: "another" })).toBe(false);
    expect(isSeenRunning({ ...own, started: "0" })).toBe(false);
    expect(isSeenRunning({ ...own, started: undefined })).toBe(false);
  },
);
