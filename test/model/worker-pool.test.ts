import { describe, expect, test, vi } from "vitest";
import { fakeWorkers } from "./fake-workers.js";
import { makeTasks } from "../learning/tasks.js";
import { HostError, initialize, kernelBuild } from "../../src/core/index.js";
import {
  answer,
  packFitJob,
  respond,
  runCrossingFitJob,
  runFitJob,
  serveFitJobs,
  taskArrays,
  WorkerPool,
  type Request,
  type WorkerPort,
} from "../../src/model/index.js";

describe("WorkerPool", () => {
  test("never runs more jobs at once than it has workers, and keeps their order", async () => {
    const { open, workers } = fakeWorkers();
    const pool = new WorkerPool<string, string>(open, 2);
    const results = ["a", "b", "c", "d"].map((job) => pool.run(job));
    expect(workers).toHaveLength(2);
    expect(workers.flatMap(({ posted }) => posted.map(({ job }) => job))).toEqual(["a", "b"]);
    workers[1]!.reply({ id: 1, result: "B" });
    expect(workers[1]!.posted.map(({ job }) => job)).toEqual(["b", "c"]);
    workers[0]!.reply({ id: 0, result: "A" });
    workers[0]!.reply({ id: 3, result: "D" });
    workers[1]!.reply({ id: 2, result: "C" });
    expect(await Promise.all(results)).toEqual(["A", "B", "C", "D"]);
  });

  test("sends the loaded kernels with a worker's first job, and the worker uses them", async () => {
    const { open, workers } = fakeWorkers();
    const pool = new WorkerPool<string, string>(open, 1);
    try {
      initialize({ build: "scalar" });
      const results = [pool.run("a"), pool.run("b")];
      workers[0]!.reply({ id: 0, result: "A" });
      workers[0]!.reply({ id: 1, result: "B" });
      await Promise.all(results);
      const [first, second] = workers[0]!.posted as Request<string>[];
      expect(first!.kernels?.build).toBe("scalar");
      expect(second!.kernels).toBeUndefined();
      initialize({ build: "simd" });
      await answer(first!, () => Promise.resolve(kernelBuild()));
      expect(kernelBuild()).toBe("scalar");
    } finally {
      initialize();
    }
  });

  test("replaces a worker that died and goes on with the other jobs", async () => {
    const { open, workers } = fakeWorkers();
    const pool = new WorkerPool<string, string>(open, 1);
    const [first, second] = [pool.run("a"), pool.run("b")];
    workers[0]!.die(new Error("out of memory"));
    await expect(first).rejects.toMatchObject({ code: "WORKER", message: /out of memory/ });
    workers[1]!.reply({ id: 1, result: "B" });
    expect(await second).toBe("B");
  });

  test("ends a worker that failed but lives; hands on an MpMtlError as it is", async () => {
    const { open, workers } = fakeWorkers();
    const pool = new WorkerPool<string, string>(open, 1);
    const job = pool.run("a");
    workers[0]!.die(new HostError("no memory left"));
    await expect(job).rejects.toThrow(new HostError("no memory left"));
    expect(workers[0]!.ended).toBe(true);
  });

  test("a job that cannot be sent fails, and its worker takes the next one", async () => {
    const { open, workers } = fakeWorkers();
    const fussy = (): WorkerPort => {
      const port = open();
      return { ...port, post: (request) => port.post(structuredClone(request)) };
    };
    const pool = new WorkerPool<unknown, string>(fussy, 1);
    const [bad, good] = [pool.run(() => "no data"), pool.run("b")];
    await expect(bad).rejects.toMatchObject({ code: "WORKER", message: /could not be sent/ });
    workers[0]!.reply({ id: 1, result: "B" });
    expect(await good).toBe("B");
  });

  test("where no worker can be started the jobs fail, those that waited too", async () => {
    const { open, workers } = fakeWorkers();
    let refused = false;
    const pool = new WorkerPool<string, string>(() => {
      if (refused) throw new Error("the policy forbids it");
      return open();
    }, 1);
    const jobs = [pool.run("a"), pool.run("b")];
    refused = true;
    workers[0]!.die(new Error("out of memory"));
    await expect(jobs[0]).rejects.toThrow("out of memory");
    await expect(jobs[1]).rejects.toThrow("could not be started: the policy forbids it");
  });

  test("leaves no listener on a signal that outlives its jobs", async () => {
    const { open, workers } = fakeWorkers();
    const pool = new WorkerPool<string, string>(open, 1);
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, "removeEventListener");
    const job = pool.run("a", { signal });
    workers[0]!.reply({ id: 0, result: "A" });
    await job;
    expect(removed).toHaveBeenCalledOnce();
  });

  test("starts no worker for jobs that the same abort stops", async () => {
    const { open, workers } = fakeWorkers();
    const pool = new WorkerPool<string, string>(open, 1);
    const controller = new AbortController();
    const { signal } = controller;
    const stopped = ["a", "b", "c"].map((job) => pool.run(job, { signal }));
    const last = pool.run("d");
    controller.abort(new Error("stop"));
    for (const job of stopped) await expect(job).rejects.toThrow("stop");
    expect(workers.map(({ posted }) => posted.map(({ job }) => job))).toEqual([["a"], ["d"]]);
    workers[1]!.reply({ id: 3, result: "D" });
    expect(await last).toBe("D");
  });

  test("ends an aborted job's worker; a late answer of it is not heard", async () => {
    const { open, workers } = fakeWorkers();
    const pool = new WorkerPool<string, string>(open, 1);
    const controller = new AbortController();
    const first = pool.run("a", { signal: controller.signal });
    const second = pool.run("b");
    controller.abort(new Error("stop"));
    await expect(first).rejects.toThrow("stop");
    expect(workers[0]!.ended).toBe(true);
    workers[0]!.reply({ id: 0, result: "late" });
    workers[1]!.reply({ id: 1, result: "B" });
    expect(await second).toBe("B");
    await expect(pool.run("c", { signal: AbortSignal.abort(new Error("early")) })).rejects.toThrow(
      "early",
    );
  });

  test("closing rejects what is not done and ends every worker", async () => {
    const { open, workers } = fakeWorkers();
    const pool = new WorkerPool<string, string>(open, 1);
    const jobs = [pool.run("a"), pool.run("b")];
    pool.close();
    for (const job of jobs) await expect(job).rejects.toMatchObject({ code: "CLOSED" });
    expect(workers[0]!.ended).toBe(true);
    expect(() => pool.run("c")).toThrow(/closed/);
  });

  test("refuses a size below 1", () => {
    expect(() => new WorkerPool(fakeWorkers().open, 0)).toThrow(
      "size: expected an integer >= 1, got 0",
    );
  });
});

test("a result that cannot be cloned, and a thrown non-error, become replies", async () => {
  const replies: unknown[] = [];
  const post = (reply: unknown) => void replies.push(structuredClone(reply));
  await respond({ id: 1, job: "a" }, () => Promise.resolve(() => "no data"), post);
  await respond({ id: 2, job: "b" }, () => Promise.reject(undefined), post);
  expect(replies).toMatchObject([
    { id: 1, error: { code: "ERROR", message: expect.stringMatching(/could not be cloned/) } },
    { id: 2, error: { code: "ERROR", message: "undefined" } },
  ]);
});

test("a job crosses without views, and the caller keeps its rows", async () => {
  const [train, test] = [5, 3].map((n) => taskArrays(makeTasks({ m: 2, d: 2, rows: () => n })));
  const job = { method: "single-task", options: {}, train: train!, test: test! };
  const { message, transfer } = packFitJob(job);
  const sent = structuredClone(message, { transfer: [...transfer] });
  expect([sent.train.x, sent.train.y, sent.test!.y].some(ArrayBuffer.isView)).toBe(false);
  expect(await runCrossingFitJob(sent)).toEqual(await runFitJob(job));
});

test("serveFitJobs answers a request with its number, errors too", async () => {
  const target = new EventTarget();
  const replies: unknown[] = [];
  const answered = new Promise<void>((resolve) => {
    const scope = Object.assign(target, {
      postMessage: (data: unknown) => {
        replies.push(data);
        resolve();
      },
    });
    serveFitJobs(scope as never);
  });
  const job = {
    method: "nonsense",
    options: {},
    train: taskArrays(makeTasks({ m: 1, d: 2, rows: () => 3 })),
  };
  const data = { id: 7, job: packFitJob(job).message };
  target.dispatchEvent(new MessageEvent("message", { data }));
  await answered;
  expect(replies).toEqual([await answer({ id: 7, job }, runFitJob)]);
  expect(replies).toMatchObject([{ id: 7, error: { code: "OPTION" } }]);
});
