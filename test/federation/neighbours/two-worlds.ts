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
  decodeMessage,
  ManualClock,
  MemoryNetwork,
  MemoryStore,
  planHash,
  randomBytesFrom,
  runCurator,
  runRelay,
  type CuratorResult,
  type CuratorStatus,
  type Message,
  type Passing,
  type Plan,
} from "../../../src/federation/index.js";
import { CURATOR } from "../../../src/federation/protocol/machine/memory-transport.js";
import { decodeRecord, type CuratorRecord } from "../../../src/federation/protocol/records.js";
import { runHelper } from "../../../src/federation/verified-sums/index.js";
import type { FittedModel } from "../../../src/learning/index.js";
import { joinAll, settle, taskBits } from "../runs.js";
import { withReleases, type KeptRelease } from "./kept-releases.js";

/** A plan and who takes part in it. */
export interface Setting {
  readonly plan: Plan;
  /** Relays of the plan. */
  readonly relays?: readonly string[];
  /** Secrets of two aggregators, where the plan has them. */
  readonly aggregators?: { readonly leader: Uint8Array; readonly helper: Uint8Array };
  readonly identity?: (participant: string) => Uint8Array;
  /** The participant whose rows differ. */
  readonly changed: string;
  /** Seed of keys, sessions and masks. */
  readonly host?: string;
  /** Who joins when the first round is closed. */
  readonly late?: readonly string[];
  /** Who cannot be reached while these rounds are open. */
  readonly away?: Readonly<Record<string, readonly number[]>>;
}

/** What others than the changed participant see, every line a text. */
export interface Seen {
  readonly lines: readonly string[];
  readonly releases: readonly KeptRelease[];
  /** What the curator kept of sums that it opened. */
  readonly openings: readonly KeptOpening[];
  /** What the changed participant sent the curator in the clear. */
  readonly uploads: readonly Upload[];
}

type Upload = Extract<Message, { type: "upload" }>;

type KeptOpening = Extract<CuratorRecord, { type: "opening" }>;

/** The plan's name for the second of two aggregators. */
export const HELPER = "helper";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** Keys, sessions and masks are the same in both worlds. */
async function withSeededHost<T>(seed: string, body: () => Promise<T>): Promise<T> {
  const bytes = randomBytesFrom({ mode: "seeded", seed });
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

/**
 * Whether others see of a message only when it was sent and how long it is: what the changed participant sends and is sent is its own and the
 * curator's; sums of relays, on their way to the curator, and the helper's shares are masked or for the curator, too.
 */
function isHidden({ relays = [], changed }: Setting, { from, to, message }: Passing): boolean {
  if (from === changed || to === changed) return true;
  if (relays.includes(from)) return to === CURATOR || relays.includes(to);
  if (from !== HELPER && to !== HELPER) return false;
  const said = decodeMessage(message);
  return said.type === "given" || ("reporter" in said && said.reporter.startsWith(`${changed}.`));
}

/** One run, and all that others see of it: messages, log, metrics, records, results and models, errors in their places. */
async function seenOf(setting: Setting, tasks: Readonly<Record<string, TaskSet>>): Promise<Seen> {
  const { plan, aggregators, changed, late = [], away = {} } = setting;
  const [clock, store, monitor] = [new ManualClock(), new MemoryStore(), new RunMonitor(plan)];
  const network = new MemoryNetwork(clock);
  const lines: string[] = [];
  const uploads: Upload[] = [];
  network.watch = (passing) => {
    const { from, to, message } = passing;
    const said = from === changed && to === CURATOR ? decodeMessage(message) : undefined;
    if (said?.type === "upload") uploads.push(said);
    const what = isHidden(setting, passing) ? `${message.length} bytes` : hex(message);
    lines.push(`${clock.now} ms: ${from} to ${to || "all"}: ${what}`);
  };
  const progress = { update: () => undefined } as unknown as Context["progress"];
  const told = watch({ progress } as Context, (entry, words) => {
    lines.push(`log: ${JSON.stringify(entry)} ${[words].flat().join("; ")}`);
  });
  const { join, models } = joiners(setting, tasks, { clock, network });
  const stop = new AbortController();
  const onStatus = (status: CuratorStatus) => {
    monitor.note(status);
    told(status);
    lines.push(JSON.stringify(monitor.snapshot), monitor.metrics());
    if (status.kind === "closed" && status.round === 1) join(late);
    if (status.kind !== "round") return;
    for (const [who, rounds] of Object.entries(away))
      network.cut(who, rounds.includes(status.round));
  };
  const running = runCurator({
    plan,
    store,
    clock,
    onStatus,
    transport: network.curator(),
    signal: stop.signal,
    ...(aggregators ? { leaderKey: aggregators.leader } : {}),
    patience: { linger: 60_000 },
  });
  const thirds = thirdParties(setting, { clock, network }, (line) => lines.push(line));
  join(Object.keys(tasks).filter((name) => !late.includes(name)));
  const all = models().then((settled) => {
    // Where somebody refuses to begin the run would wait for ever.
    if (settled.some(({ status }) => status === "rejected")) stop.abort(new Error("stopped"));
    return settled;
  });
  const ended = Promise.all([all, Promise.allSettled([running, ...thirds])]);
  const [joined, [curator]] = await settle(clock, ended);
  lines.push(`curator: ${curatorText(curator as PromiseSettledResult<CuratorResult>)}`);
  Object.keys(tasks).forEach((name, k) => {
    if (name !== changed) lines.push(`${name}: ${modelText(joined[k]!)}`);
  });
  const records = await store.load();
  // Openings differ by what is masked: `openings.test.ts`.
  const others = records.filter((record) => decodeRecord(record).type !== "opening");
  lines.push(...others.map((record) => `record: ${hex(record)}`));
  const kept = records.map(decodeRecord);
  return {
    lines,
    releases: kept.filter((record): record is KeptRelease => record.type === "release"),
    openings: kept.filter((record): record is KeptOpening => record.type === "opening"),
    uploads,
  };
}

interface Place {
  readonly clock: ManualClock;
  readonly network: MemoryNetwork;
}

/** Participants, who join when they are told to; `models` waits for all of them. */
function joiners(
  { plan, identity }: Setting,
  tasks: Readonly<Record<string, TaskSet>>,
  { clock, network }: Place,
) {
  const names = Object.keys(tasks);
  const starts = new Map<string, (own: Promise<FittedModel>) => void>();
  const waiting = names.map(
    (name) => new Promise<FittedModel>((resolve) => starts.set(name, resolve)),
  );
  const join = (some: readonly string[]) => {
    for (const name of some) {
      const own = { [name]: tasks[name]! };
      const [model] = joinAll({ plan, clock, network, tasks: own, ...(identity ? { identity } : {}) }); // prettier-ignore
      starts.get(name)!(model!);
    }
  };
  return { join, models: () => Promise.allSettled(waiting) };
}

/** The plan's relays, or its helper, at work; what they log is told. */
function thirdParties(
  { plan, relays = [], aggregators }: Setting,
  { clock, network }: Place,
  told: (line: string) => void,
): Promise<unknown>[] {
  const common = { run: plan.run, agreed: planHash(plan), clock };
  const at = (name: string) => ({
    ...common,
    transport: network.participant(name),
    onStatus: (status: object) => told(`log of ${name}: ${JSON.stringify(status)}`),
  });
  const store = new MemoryStore();
  return [
    ...relays.map((relay) => runRelay({ ...at(relay), relay })),
    ...(aggregators
      ? [runHelper({ ...at(HELPER), store, helper: HELPER, key: aggregators.helper })]
      : []),
  ];
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
  const once = (tasks: typeof present) =>
    withSeededHost(setting.host ?? "host", () => seenOf(setting, tasks));
  const { releases } = await once(present);
  return withReleases(releases, async () => ({
    present: await once(present),
    neighbour: await once({ ...present, [setting.changed]: neighbour }),
  }));
}
