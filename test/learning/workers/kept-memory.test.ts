/** Shared memory for the rows of one fit after the other: who gets it again, and who does not. */
import { expect, test, vi } from "vitest";
import { KeptMemory } from "../../../src/learning/workers/kept-memory.js";
import { TaskWorker } from "../../../src/learning/workers/task-worker.js";

test("the next fit gets the memory again, where it is enough", () => {
  const kept = new KeptMemory();
  const first = kept.take(100_000)!;
  expect(first.byteLength).toBe(2 ** 17);
  expect(kept.take(10)).toBe(first);
  const more = kept.take(2 ** 17 + 1)!;
  expect(more.byteLength).toBe(2 ** 18);
  expect(kept.take(100_000)).toBe(more);
  kept.drop();
  expect(kept.take(100_000)).not.toBe(more);
});

test("more than 64 MiB are not kept, and nothing is where there is no shared memory", () => {
  const kept = new KeptMemory();
  expect(kept.take(2 ** 26)!.byteLength).toBe(2 ** 26);
  expect(kept.take(2 ** 26 + 1)).toBeUndefined();
  vi.stubGlobal("SharedArrayBuffer", undefined);
  try {
    expect(kept.take(10)).toBeUndefined();
  } finally {
    vi.unstubAllGlobals();
  }
});

/** A worker that answers when it is told to, and what it was sent. */
function silentWorker() {
  const sent: string[] = [];
  let answer: (message: unknown) => void = () => undefined;
  const worker = new TaskWorker({
    post: (message) => void sent.push((message as { kind: string }).kind),
    listen: (message) => (answer = message),
    terminate: () => undefined,
  });
  return { worker, sent, answer: () => answer({ value: null }) };
}

test("a worker that has worked off a fit keeps its memory for the next", async () => {
  const { worker, sent, answer } = silentWorker();
  const memory = worker.memory(100);
  const placed = worker.ask({ kind: "place" });
  answer();
  await placed;
  worker.send({ kind: "receive" });
  const finished = worker.ask({ kind: "finish" });
  answer();
  await finished;
  worker.leave();
  expect(sent).toEqual(["place", "receive", "finish", "close"]);
  expect(worker.memory(100)).toBe(memory);
});

test("one that may still be at work keeps none: rows of the next fit would come among those of the last", async () => {
  const { worker, answer } = silentWorker();
  const memory = worker.memory(100);
  const placed = worker.ask({ kind: "place" });
  answer();
  await placed;
  // What follows a broadcast is not answered.
  worker.send({ kind: "receive" });
  worker.leave();
  expect(worker.memory(100)).not.toBe(memory);
});
