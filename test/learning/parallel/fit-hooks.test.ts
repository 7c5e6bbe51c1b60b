/** What a fit promises while it runs holds on several threads too: progress, abort, errors, journals, no worker left over. */
import { describe, expect, test } from "vitest";
import {
  MpFramework,
  makeEstimator,
  TaskWorkers,
  type FitOptions,
} from "../../../src/learning/index.js";
import { TaskSet } from "../../../src/data/index.js";
import { Ledger } from "../../../src/privacy/index.js";
import type { ReleaseJournal } from "../../../src/learning/round/release-journal.js";
import { makeTasks } from "../tasks.js";
import { channelWorkers } from "./channel-workers.js";

const tasks = makeTasks({ m: 8, d: 4, rows: (i) => 5 + (i % 3) });
const random = { mode: "seeded", seed: 3 } as const;
const estimator = (options = {}) =>
  makeEstimator("mp-low-rank", { random, rounds: 6, clip: 2, ...options });
const fit = (hooks: FitOptions, options = {}) => estimator(options).fit(tasks, hooks);
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: Error) => error,
  );

describe("a spread fit", () => {
  test("reports every round as one thread does", async () => {
    const { workers } = channelWorkers(3);
    const [alone, spread]: [unknown[], unknown[]] = [[], []];
    await fit({ onRound: (round) => alone.push(round) });
    await fit({ onRound: (round) => spread.push(round), workers, threads: 3 });
    expect(spread).toEqual(alone);
    workers.close();
  });

  test("shows an observer what one thread shows: uploads in the order of tasks, then the charged release", async () => {
    const { workers } = channelWorkers(3);
    const seen = async (hooks: FitOptions) => {
      const views: unknown[] = [];
      await fit({
        ...hooks,
        observe: ({ stage, round, values }) => views.push([stage, round, [...values]]),
      });
      return views;
    };
    expect(await seen({ workers, threads: 3 })).toEqual(await seen({}));
    workers.close();
  });

  test("uses its workers again, and closes what it placed", async () => {
    const { workers, sent, count } = channelWorkers(3);
    for (let run = 0; run < 3; run++) await fit({ workers, threads: 3 });
    expect(count).toEqual({ started: 2, ended: 0 });
    // A broadcast takes the question for the next uploads along; only the first uploads are asked for alone.
    expect(sent).toMatchObject({ place: 6, upload: 6, receive: 36, finish: 6, close: 6 });
    expect([workers.free, workers.started]).toEqual([2, 2]);
    workers.close();
    expect(count.ended).toBe(2);
  });

  test.each([
    ["of tasks that are drawn then", "pmtl", { batchSize: 2, sampling: { kind: "fixed-size", size: 4 } }], // prettier-ignore
    ["with noise of the tasks' own", "mp-low-rank", { curator: "untrusted" }],
  ])("asks for uploads %s in their round only", async (_, method, options) => {
    const { workers, sent } = channelWorkers(2);
    await makeEstimator(method, { random, rounds: 6, clip: 2, ...options }).fit(tasks, {
      workers,
      threads: 2,
    });
    expect(sent).toMatchObject({ upload: 6, receive: 6 });
    workers.close();
  });

  test("replaces a worker that died between two fits", async () => {
    const { workers, count, crashAt } = channelWorkers(2);
    crashAt("close");
    await fit({ workers, threads: 2 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await fit({ workers, threads: 2 })).threads!.used).toBe(2);
    expect(count.started).toBe(2);
    workers.close();
  });

  test("ends its workers when it is aborted, in the rounds or before them", async () => {
    const { workers, count } = channelWorkers(2);
    const controller = new AbortController();
    const reason = new Error("enough");
    const stopped = fit(
      { workers, threads: 2, signal: controller.signal, onRound: ({ round }) => round === 2 && controller.abort(reason) }, // prettier-ignore
    );
    expect(await failure(stopped)).toBe(reason);
    expect(await failure(fit({ workers, threads: 2, signal: controller.signal }))).toBe(reason);
    expect(workers.free).toBe(1);
    // The thread goes on to the next fit with a worker that owes nothing.
    expect((await fit({ workers, threads: 2 })).threads!.used).toBe(2);
    workers.close();
    expect(count.ended).toBe(count.started);
  });

  test("says whose data is bad in the words of one thread, whichever thread finds it", async () => {
    const rows = [...tasks].map(({ name, x, y }, i) => ({
      name,
      x: i === 2 || i === 6 ? x.map((value) => 3 * value) : x,
      y,
    }));
    const long = TaskSet.from(rows);
    const { workers } = channelWorkers(4);
    const alone = await failure(estimator().fit(long));
    const spread = await failure(estimator().fit(long, { workers, threads: 4 }));
    expect(alone?.message).toMatch(/task-2/);
    expect(spread).toEqual(alone);
    expect(spread?.constructor).toBe(alone?.constructor);
    expect(workers.free).toBe(3);
    workers.close();
  });

  test("refuses a person whose rows lie on several threads, as one thread does", async () => {
    const persons = TaskSet.from(
      [...tasks].map(({ name, x, y, n }, i) => ({
        name,
        x,
        y,
        // The first row of the first task and of the last is of the same person.
        persons: Array.from({ length: n }, (_, j) => (i % 7 === 0 && j === 0 ? 0 : 100 * i + j)),
      })),
    );
    const { workers, sent } = channelWorkers(4);
    const mixed = makeEstimator("mp-mixed", { random, unit: "record", epsilon: 5, scale: "unit" });
    const alone = await failure(mixed.fit(persons));
    expect(alone?.message).toMatch(/more than 1 tasks/);
    expect(await failure(mixed.fit(persons, { workers, threads: 4 }))).toEqual(alone);
    expect(sent).toEqual({});
    workers.close();
  });

  test("goes on on one thread where a worker dies before the rounds, and says so", async () => {
    const { workers, crashAt } = channelWorkers(2);
    crashAt("place");
    const model = await fit({ workers, threads: 2 });
    expect(model.threads).toEqual({
      used: 1,
      why: "on workers it could not begin: a thread ended: out of memory",
    });
    expect(model.weights).toEqual((await fit({})).weights);
    workers.close();
    const none = new TaskWorkers(() => {
      throw new Error("no threads here");
    }, 2);
    expect((await fit({ workers: none, threads: 2 })).threads!.why).toMatch(/no threads here/);
  });

  test.each(["upload", "receive", "finish"])("fails where a worker dies at %s", async (kind) => {
    const { workers, crashAt } = channelWorkers(2);
    crashAt(kind);
    const error = await failure(fit({ workers, threads: 2 }));
    expect(error).toMatchObject({ code: "WORKER", message: "a thread ended: out of memory" });
    expect(workers.free).toBe(1);
    workers.close();
  });

  test("fails where its workers are closed while it waits for one", async () => {
    const { workers } = channelWorkers(2);
    const onRound = ({ round }: { round: number }) => round === 3 && setImmediate(() => workers.close()); // prettier-ignore
    const running = fit({ workers, threads: 2, onRound }, { rounds: 500 });
    expect(await failure(running)).toMatchObject({
      code: "WORKER",
      message: "the thread was ended",
    });
  });

  test("goes on from a journal with the bits of an unbroken fit", async () => {
    const { workers } = channelWorkers(3);
    const kept: Float64Array[] = [];
    let ledger: Ledger | undefined;
    const journal: ReleaseJournal = {
      openLedger: (options) => (ledger ??= new Ledger(options)),
      read: (release) => kept[release - 1],
      write: (release, statistic) => void (kept[release - 1] = statistic.slice()),
    };
    const controller = new AbortController();
    const broken = fit({
      workers,
      threads: 3,
      journal,
      signal: controller.signal,
      onRound: ({ round }) => round === 3 && controller.abort(new Error("killed")),
    });
    expect((await failure(broken))?.message).toBe("killed");
    expect(kept.length).toBe(3);
    const resumed = await fit({ workers, threads: 2, journal });
    expect(kept.length).toBe(6);
    expect(ledger!.entries.length).toBe(6);
    expect(resumed.weights).toEqual((await fit({})).weights);
    workers.close();
  });

  test("two fits at once share the threads, and neither waits", async () => {
    const { workers } = channelWorkers(2);
    const [a, b] = await Promise.all([fit({ workers, threads: 2 }), fit({ workers, threads: 2 })]);
    expect([a.threads!.used, b.threads!.used]).toEqual([2, 1]);
    expect(b.threads!.why).toBe("2 were asked for, but no more than 1 can be had");
    expect(a.weights).toEqual(b.weights);
    workers.close();
  });
});

test("fits of one after the other start the thread that they miss, once, and say so", async () => {
  const { workers, count } = channelWorkers(2);
  const many = makeTasks({ m: 200, d: 30, rows: () => 30 });
  const used: string[] = [];
  for (let run = 0; run < 6; run++) {
    const { threads } = await estimator({ rounds: 30 }).fit(many, { workers });
    used.push(`${threads!.used}: ${threads!.why}`);
  }
  const size = "the fit takes about 40000000 multiplications";
  const alone = `1: ${size}, too few for a second thread`;
  const starting = `2: ${size}, and fits before it missed a thread as much as its start takes`;
  expect(used).toEqual([alone, alone, alone, alone, starting, `2: ${size}`]);
  expect([count.started, workers.missed]).toEqual([1, 0]);
  workers.close();
});

describe("one thread", () => {
  test("where the options hold code, and where the work is too little", async () => {
    const { workers, count } = channelWorkers(4);
    const framework = new MpFramework({
      random,
      statistic: "diagonal",
      clip: 1,
      rounds: 2,
      rule: ({ released }) => released.at(-1)!,
      step: ({ model }) => model,
    });
    const own = await framework.fit(tasks, { workers, threads: 2 });
    expect(own.threads).toEqual({ used: 1, why: "the method's tasks cannot be spread" });
    const small = await fit({ workers });
    expect(small.threads).toMatchObject({ used: 1, why: expect.stringMatching(/too few for/) });
    expect(count.started).toBe(0);
  });

  test("refuses a number of threads that is none", async () => {
    for (const threads of [0, 1.5, "all" as never]) {
      expect((await failure(fit({ threads })))?.message).toBe(
        `fit: threads: expected auto or an integer >= 1, got ${JSON.stringify(threads)}`,
      );
    }
  });
});
