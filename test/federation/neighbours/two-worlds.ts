/**
 * A federated run in two worlds that differ in one participant's rows, and what of it all others see.
 * @module
 */
import { vi } from "vitest";
import { RunMonitor } from "../../../src/cli/operator/run-monitor.js";
import { watch } from "../../../src/cli/operator/told.js";
import type { Context } from "../../../src/cli/options/command.js";
import type { TaskSet } from "../../../src/data/index.js";
import {
  ManualClock,
  MemoryNetwork,
  MemoryStore,
  planHash,
  randomBytesFrom,
  runCurator,
  runRelay,
  type CuratorResult,
  type Plan,
} from "../../../src/federation/index.js";
import { decodeRecord } from "../../../src/federation/protocol/records.js";
import type { FittedModel } from "../../../src/learning/index.js";
import { joinAll, settle, taskBits } from "../runs.js";
import { withReleases, type KeptRelease } from "./kept-releases.js";

/** A plan and who takes part in it. */
export interface Setting {
  readonly plan: Plan;
  /** Relays of the plan. */
  readonly relays?: readonly string[];
  readonly identity?: (participant: string) => Uint8Array;
  /** The participant whose rows differ. */
  readonly changed: string;
}

/** What others than the changed participant see, every line a text. */
export interface Seen {
  readonly lines: readonly string[];
  readonly releases: readonly KeptRelease[];
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** Keys, sessions and masks are the same in both worlds. */
async function withSeededHost<T>(body: () => Promise<T>): Promise<T> {
  const bytes = randomBytesFrom({ mode: "seeded", seed: "host" });
  const spy = vi.spyOn(globalThis.crypto, "getRandomValues").mockImplementation((array) => {
    const { buffer, byteOffset, byteLength } = array as unknown as Uint8Array;
    new Uint8Array(buffer, byteOffset, byteLength).set(bytes(byteLength));
    return array;
  });
  try {
    return await body();
  } finally {
    spy.mockRestore();
  }
}

/** One run, and all that others see of it: messages, log, metrics, records, results and models, errors in their places. */
async function seenOf(
  { plan, relays = [], identity, changed }: Setting,
  tasks: Readonly<Record<string, TaskSet>>,
): Promise<Seen> {
  const [clock, store, monitor] = [new ManualClock(), new MemoryStore(), new RunMonitor(plan)];
  const network = new MemoryNetwork(clock);
  const lines: string[] = [];
  // What the changed participant sends and is sent is its own and the curator's; when and how much, whoever watches the network sees.
  network.watch = ({ from, to, message }) => {
    const what = from === changed || to === changed ? `${message.length} bytes` : hex(message);
    lines.push(`${clock.now} ms: ${from} to ${to || "all"}: ${what}`);
  };
  const progress = { update: () => undefined } as unknown as Context["progress"];
  const told = watch({ progress } as Context, (entry, words) => {
    lines.push(`log: ${JSON.stringify(entry)} ${[words].flat().join("; ")}`);
  });
  const onStatus = (status: Parameters<typeof told>[0]) => {
    monitor.note(status);
    told(status);
    lines.push(JSON.stringify(monitor.snapshot), monitor.metrics());
  };
  const stop = new AbortController();
  const running = runCurator({
    ...{ plan, store, clock, onStatus, transport: network.curator(), signal: stop.signal },
    patience: { linger: 60_000 },
  });
  const relayed = relays.map(
    (relay) =>
    runRelay({ run: plan.run, relay, agreed: planHash(plan), clock, transport: network.participant(relay) }), // prettier-ignore
  );
  const joined = joinAll({ plan, clock, network, tasks, ...(identity ? { identity } : {}) });
  const models = Promise.allSettled(joined).then((all) => {
    // Where somebody refuses to begin the run would wait for ever.
    if (all.some(({ status }) => status === "rejected")) stop.abort(new Error("stopped"));
    return all;
  });
  const end = settle(clock, Promise.all([models, Promise.allSettled([running, ...relayed])]));
  const [all, [curator]] = await end;
  lines.push(`curator: ${curatorText(curator as PromiseSettledResult<CuratorResult>)}`);
  Object.keys(tasks).forEach((name, k) => {
    if (name !== changed) lines.push(`${name}: ${modelText(all[k]!)}`);
  });
  const records = await store.load();
  // An opening is the noisy sum itself, of which the kept release stands in the other world.
  const others = records.filter((record) => decodeRecord(record).type !== "opening");
  lines.push(...others.map((record) => `record: ${hex(record)}`));
  const releases = records.map(decodeRecord).filter(({ type }) => type === "release");
  return { lines, releases: releases as KeptRelease[] };
}

function curatorText(result: PromiseSettledResult<CuratorResult>): string {
  if (result.status === "rejected") return `error: ${(result.reason as Error).message}`;
  const { guarantee, ledger, history, finished } = result.value;
  return JSON.stringify({ guarantee, ledger: ledger.toJSON(), history, finished });
}

function modelText(result: PromiseSettledResult<FittedModel>): string {
  if (result.status === "rejected") return `error: ${(result.reason as Error).message}`;
  const model = result.value;
  const { guarantee, recordGuarantee, history, preprocessing, classes, loss, components } = model;
  const bits = model.taskNames.map((name) => taskBits(model, name));
  const said = { guarantee, recordGuarantee, history, preprocessing, classes, loss };
  const parts = Object.values(components).map(({ data }) =>
    hex(new Uint8Array(data.slice().buffer)),
  );
  return JSON.stringify({ bits, parts, ...said, protection: model.protection });
}

/** What others see in both worlds, where the releases are those of a first run in the present one. */
export async function bothWorlds(
  setting: Setting,
  present: Readonly<Record<string, TaskSet>>,
  neighbour: TaskSet,
): Promise<{ readonly present: Seen; readonly neighbour: Seen }> {
  const once = (tasks: typeof present) => withSeededHost(() => seenOf(setting, tasks));
  const { releases } = await once(present);
  return withReleases(releases, async () => ({
    present: await once(present),
    neighbour: await once({ ...present, [setting.changed]: neighbour }),
  }));
}
