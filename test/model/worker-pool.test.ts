import { describe, expect, test } from "vitest";
import { initialize, kernelBuild } from "../../src/core/index.js";
import {
  answer,
  runFitJob,
  serveFitJobs,
  WorkerPool,
  type Request,
  type WorkerPort,
} from "../../src/model/index.js";

/** Workers in this thread that answer when told to. */
function fakeWorkers() {
  const workers: {
    posted: { id: number; job: unknown }[];
    ended: boolean;
    reply: (data: unknown) => void;
    die: (error: Error) => void;
  }[] = [];
  const open = (): WorkerPort => {
    const worker = {
      posted: [] as { id: number; job: unknown }[],
      ended: false,
      reply: (_data: unknown): void => undefined,
      die: (_error: Error): void => undefined,
    };
    workers.push(worker);
    return {
      post: (message) => void worker.posted.push(message as { id: number; job: unknown }),
      listen: (message, failure) => {
        worker.reply = message;
        worker.die = failure;
      },
      terminate: () => {
        worker.ended = true;
      },
    };
  };
  return { open, workers };
}

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
  const request = { id: 7, job: { method: "nonsense", options: {}, train: {} as never } };
  target.dispatchEvent(new MessageEvent("message", { data: request }));
  await answered;
  expect(replies).toEqual([await answer(request, runFitJob)]);
  expect(replies).toMatchObject([{ id: 7, error: { code: "OPTION" } }]);
});
