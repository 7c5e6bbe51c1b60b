/**
 * Several processes at one folder of records: whatever became of locks, no number is charged twice.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openLedgerFolder } from "../../../src/node/records/ledger-folder.js";
import { pureEvent } from "../../../src/privacy/events/events.js";
import { temporaryFolder } from "../../temporary.js";
import { thorough } from "../../thorough.js";
import { isBuilt, runScript } from "../built.js";

const options = { epsilon: 1, delta: 0, adjacency: "replace" } as const;
/** Ten of these are the budget. */
const event = pureEvent({ epsilon: 0.09 });

/** Charges until the budget or the ledger is gone; writes the number of what it "drew" after each charge. */
const spending = `
  const { ledger, close } = mpmtl.openLedgerFolder(args[0], ${JSON.stringify(options)});
  const pause = new Int32Array(new SharedArrayBuffer(4));
  while (ledger.entries.length < 10) {
    ledger.charge(${JSON.stringify(event)}, { round: ledger.entries.length + 1 });
    writeSync(1, ledger.entries.length + " ");
    Atomics.wait(pause, 0, 0, Number(args[1]));
  }
  close();`;

/** More with the variable; a trial takes two seconds. */
const TRIALS = Number(process.env["MP_MTL_TRIALS"] ?? (thorough ? 3 : 1));

const drawnBy = (out: string) => out.trim().split(" ").filter(Boolean).map(Number);

/** A folder with the lock of a process that is not there. */
function withStaleLock(): string {
  const folder = join(temporaryFolder(), "budget");
  const { close } = openLedgerFolder(folder, options);
  const lock = readFileSync(join(folder, "lock"), "utf8");
  close();
  writeFileSync(join(folder, "lock"), lock.replace(/"started":"\d+"/, '"started":"1"'));
  return folder;
}

describe.skipIf(!isBuilt || process.platform !== "linux")("processes at one ledger", () => {
  test("that race for a stale lock never draw twice for one charge", async () => {
    for (let trial = 0; trial < TRIALS; trial++) {
      const folder = withStaleLock();
      const ended = await Promise.all(
        Array.from({ length: 4 }, () => runScript(spending, folder, "0").ended),
      );
      const drawn = ended.flatMap(({ out }) => drawnBy(out));
      expect(new Set(drawn).size).toBe(drawn.length);
      const { ledger, close } = openLedgerFolder(folder, options);
      expect(ledger.entries.length).toBeGreaterThanOrEqual(drawn.length);
      close();
      for (const { code, err } of ended.filter(({ code }) => code !== 0)) {
        expect([code, err]).toEqual([1, expect.stringContaining("DataError")]);
      }
    }
  }, 600_000);

  test("of which one is paused, in another container: it wakes up to an error", async () => {
    const folder = join(temporaryFolder(), "budget");
    const paused = runScript(spending, folder, "20");
    await paused.begun;
    paused.process.kill("SIGSTOP");
    const lock = join(folder, "lock");
    const held = readFileSync(lock, "utf8");
    // From outside it is seen to run, and so nobody takes over.
    const refused = await runScript(spending, folder, "0").ended;
    expect(refused.err).toContain(`process ${paused.process.pid} has this ledger open`);
    // In a container, it is not.
    writeFileSync(lock, held.replace(/"namespace":"[^"]*"/, '"namespace":"pid:[1]"'));
    const other = await runScript(spending, folder, "0").ended;
    expect(other.code).toBe(0);
    paused.process.kill("SIGCONT");
    const woken = await paused.ended;
    expect([woken.code, woken.err]).toEqual([1, expect.stringMatching(/DataError/)]);
    const drawn = [...drawnBy(woken.out), ...drawnBy(other.out)].sort((a, b) => a - b);
    expect(drawn).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  }, 60_000);

  test("as process 1 of a container, killed and started again, it goes on", async () => {
    const folder = join(temporaryFolder(), "budget");
    const killed = runScript(spending, folder, "20");
    await killed.begun;
    killed.process.kill("SIGKILL");
    await killed.ended;
    const lock = join(folder, "lock");
    const held = JSON.parse(readFileSync(lock, "utf8")) as object;
    // The process that has the number now runs: this one.
    writeFileSync(lock, JSON.stringify({ ...held, pid: process.pid }));
    const next = await runScript(spending, folder, "0").ended;
    expect(next.code).toBe(0);
    expect(drawnBy(next.out).at(-1)).toBe(10);
  }, 60_000);
});
