import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { announce, announcement } from "../../page/src/state/announce.js";
import { READY, steadyPort } from "../../page/src/work/steady-port.js";
import { loadedKernels } from "../../src/core/index.js";
import { WorkerPool, type WorkerPort } from "../../src/model/index.js";
import { fakeWorkers } from "../model/fake-workers.js";

const PLAN = { tries: 3, limit: 1000, pause: 100 };

describe("a worker's start", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const pool = (open: () => WorkerPort) =>
    new WorkerPool<string, string>(() => steadyPort(open, PLAN), 1);

  test("requests wait until the worker is ready", async () => {
    const { open, workers } = fakeWorkers();
    const result = pool(open).run("a");
    expect(workers[0]!.posted).toEqual([]);
    workers[0]!.reply(READY);
    // Other tests may have loaded kernels in this process, which a worker is told.
    const kernels = loadedKernels();
    expect(workers[0]!.posted).toEqual([{ id: 0, job: "a", ...(kernels && { kernels }) }]);
    vi.advanceTimersByTime(100 * PLAN.limit); // a long job is no late start
    workers[0]!.reply({ id: 0, result: "A" });
    expect(await result).toBe("A");
  });

  test("a script that does not load, or a worker that stays silent, is started again", async () => {
    const { open, workers } = fakeWorkers();
    const result = pool(open).run("a");
    workers[0]!.die(new Error("the worker's script did not load"));
    vi.advanceTimersByTime(PLAN.pause);
    vi.advanceTimersByTime(PLAN.limit);
    expect(workers[1]!.ended).toBe(true);
    vi.advanceTimersByTime(2 * PLAN.pause);
    workers[1]!.reply(READY); // too late: the third has its place
    expect(workers[1]!.posted).toEqual([]);
    workers[2]!.reply(READY);
    workers[2]!.reply({ id: 0, result: "A" });
    expect(await result).toBe("A");
  });

  test("after the last try the job fails and says what to do; the next one starts anew", async () => {
    const { open, workers } = fakeWorkers();
    const working = pool(open);
    const first = working.run("a");
    const failed = expect(first).rejects.toMatchObject({
      code: "WORKER",
      message: expect.stringMatching(/could not be started.*3 times.*\(no line\).*try again/),
    });
    for (let k = 0; k < 3; k++) {
      workers[k]!.die(new Error("no line"));
      vi.advanceTimersByTime(4 * PLAN.pause);
    }
    await failed;
    expect(workers).toHaveLength(3);
    const second = working.run("b");
    workers[3]!.reply(READY);
    workers[3]!.reply({ id: 1, result: "B" });
    expect(await second).toBe("B");
  });

  test("an abort during the start ends it", async () => {
    const { open, workers } = fakeWorkers();
    const controller = new AbortController();
    const job = pool(open).run("a", { signal: controller.signal });
    workers[0]!.die(new Error("no line"));
    controller.abort(new Error("stop"));
    await expect(job).rejects.toThrow("stop");
    vi.advanceTimersByTime(100 * PLAN.limit);
    expect(workers).toHaveLength(1);
  });

  test("what dies after its start is not started again for the same job", async () => {
    const { open, workers } = fakeWorkers();
    const job = pool(open).run("a");
    workers[0]!.reply(READY);
    workers[0]!.die(new Error("out of memory"));
    await expect(job).rejects.toThrow("a worker died: out of memory");
    vi.advanceTimersByTime(100 * PLAN.limit);
    expect(workers).toHaveLength(1);
  });
});

test("the same words twice are two announcements, as two fits may end alike", () => {
  announce("Finished: error 0.0135.");
  const first = announcement.value;
  announce("Finished: error 0.0135.");
  expect(announcement.value).not.toBe(first);
  expect(announcement.value.trim()).toBe(first);
});
