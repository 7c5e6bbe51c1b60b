/** Waits that look before they sleep: how long they block, by a real thread that answers. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { afterEach, expect, test, vi } from "vitest";
import { BriefWaits } from "../../../src/learning/workers/brief-waits.js";

afterEach(() => vi.restoreAllMocks());

const SCRIPT = `
  const { parentPort, workerData: words } = require("node:worker_threads");
  parentPort.postMessage("ready");
  for (let k = 1; k <= 200; k++) {
    Atomics.wait(words, 0, k - 1);
    Atomics.store(words, 1, k);
    Atomics.notify(words, 1);
  }`;

test("a wait ends with the word's change, none sooner", { timeout: 60_000 }, async () => {
  const words = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(SCRIPT, { eval: true, workerData: words });
  await once(worker, "message");
  const waits = new BriefWaits();
  for (let k = 1; k <= 200; k++) {
    Atomics.store(words, 0, k);
    Atomics.notify(words, 0);
    waits.wait(words, 1, k - 1, 50_000);
    expect(Atomics.load(words, 1)).toBe(k);
  }
  await worker.terminate();
});

test("a word that is another already is not waited for; one that stays is until the time is over", () => {
  const words = new Int32Array(new SharedArrayBuffer(4));
  const sleeps = vi.spyOn(Atomics, "wait");
  const waits = new BriefWaits();
  waits.wait(words, 0, 1, 50_000);
  expect(sleeps).not.toHaveBeenCalled();
  const start = performance.now();
  waits.wait(words, 0, 0, 20);
  expect(performance.now() - start).toBeGreaterThan(19);
  expect(sleeps).toHaveBeenCalledTimes(1);
});

test("where looks are in vain they become seldom: doubly so each time, until one is not", () => {
  const words = new Int32Array(new SharedArrayBuffer(4));
  vi.spyOn(Atomics, "wait").mockReturnValue("timed-out");
  const looks = vi.spyOn(Atomics, "load");
  const waits = new BriefWaits();
  const looked = (value: number) => {
    looks.mockClear();
    waits.wait(words, 0, value, 1);
    return looks.mock.calls.length > 0;
  };
  const seen = (count: number, value: number) =>
    Array.from({ length: count }, () => looked(value)).flatMap((did, k) => (did ? [k] : []));
  // 1, 3, 7, 15, 31, 63, 127 and then 255 are slept through between them.
  expect(seen(1100, 0)).toEqual([0, 2, 6, 14, 30, 62, 126, 254, 510, 766, 1022]);
  while (!looked(1));
  expect(seen(5, 1)).toEqual([0, 1, 2, 3, 4]);
  expect(seen(4, 0)).toEqual([0, 2]);
});
