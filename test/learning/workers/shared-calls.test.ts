/**
 * Calls of a worker that waits for them, between messages: against the order in which they were made, on a real thread.
 */
import { once } from "node:events";
import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { BriefWaits } from "../../../src/learning/workers/brief-waits.js";
import { Caller, Listener, sharedWords } from "../../../src/learning/workers/shared-calls.js";
import { generator } from "../../../bench/uniform-draws.js";

const [module, waits] = ["shared-calls", "brief-waits"].map(
  (name) => new URL(`../../../build/modules/learning/workers/${name}.js`, import.meta.url),
) as [URL, URL];

/** Writes down what it is asked, by message or by call, and answers with it. */
const SCRIPT = `
  const { parentPort, workerData } = require("node:worker_threads");
  Promise.all(workerData.urls.map((url) => import(url))).then(([{ Listener }, { BriefWaits }]) => {
    const listener = new Listener(workerData.words, new BriefWaits());
    const log = [];
    let read = 0;
    parentPort.on("message", (number) => {
      listener.read(++read);
      if (number === 0) return parentPort.postMessage(log);
      log.push(number);
      parentPort.postMessage(number);
      for (let call; (call = listener.next()); ) {
        log.push(call[0]);
        if (listener.give()) parentPort.postMessage(call[0]);
      }
    });
    parentPort.postMessage("ready");
  });`;

test.skipIf(!existsSync(module))(
  "every request is answered once, and worked off in the order in which they were made",
  async () => {
    const words = sharedWords()!;
    const caller = new Caller(words, new BriefWaits());
    const worker = new Worker(SCRIPT, {
      eval: true,
      workerData: { urls: [module.href, waits.href], words },
    });
    await once(worker, "message");
    const answers: number[] = [];
    let log: readonly number[] | undefined;
    worker.on("message", (answer: number | number[]) => {
      if (typeof answer === "number") answers.push(answer);
      else log = answer;
    });
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const { uniform: draw } = generator(11);
    const count = 600;
    let calls = 0;
    /** Some are called as soon as the worker waits, for it may be slower than this thread throughout; the others only if it does now. */
    const isCalled = async (number: number) => {
      if (draw() >= 0.8) return false;
      for (let left = draw() < 0.2 ? 1000 : 0; !caller.call([number, 0, 0]); left--) {
        if (left === 0) return false;
        await turn();
      }
      return true;
    };
    for (let number = 1; number <= count; number++) {
      if (await isCalled(number)) {
        calls++;
        if (caller.isAnswered()) answers.push(number);
        continue;
      }
      worker.postMessage(number);
      caller.posted();
      // Half of the messages are still unread, or unanswered, when the next request is made.
      while (draw() < 0.5 || (draw() < 0.9 && answers.length < number)) await turn();
    }
    worker.postMessage(0);
    caller.posted();
    while (!log || answers.length < count) await turn();
    const all = Array.from({ length: count }, (_, k) => k + 1);
    expect(log).toEqual(all);
    expect(answers.sort((a, b) => a - b)).toEqual(all);
    expect(calls).toBeGreaterThan(0);
    await worker.terminate();
  },
);

test("nothing is called of a worker that does something else, or has not read what was posted", () => {
  const words = sharedWords()!;
  const [caller, listener] = [
    new Caller(words, new BriefWaits()),
    new Listener(words, new BriefWaits()),
  ];
  expect(caller.call([1, 2, 3])).toBe(false);
  caller.posted();
  // It would wait, but for the message.
  expect(listener.next()).toBe(undefined);
  expect(caller.call([1, 2, 3])).toBe(false);
});

test("an answer that is given late, or goes wrong, is to be posted", () => {
  const words = sharedWords()!;
  const [caller, listener] = [
    new Caller(words, new BriefWaits()),
    new Listener(words, new BriefWaits()),
  ];
  expect(caller.isAnswered()).toBe(false);
  expect(listener.give()).toBe(true);
  expect(caller.isAnswered()).toBe(true);
  listener.post();
  expect(caller.isAnswered()).toBe(false);
});
