/**
 * A run in memory in which everything goes wrong that may: for tests of what must hold all the same.
 * @module
 */
import { seededUniforms, type TaskSet } from "../../src/data/index.js";
import {
  joinRun,
  ManualClock,
  MemoryNetwork,
  MemoryStore,
  planHash,
  runCurator,
  type CuratorResult,
  type CuratorStatus,
  type Plan,
  type RunStore,
} from "../../src/federation/index.js";
import type { FittedModel } from "../../src/learning/index.js";
import { settled, shares, traceLine } from "./runs.js";

/** What may happen at a random moment. */
export type Trouble =
  | "cut a participant"
  | "network down"
  | "kill a participant"
  | "kill the curator"
  | "kill the curator while it writes"
  | "replay"
  | "garbage"
  | "forgery";

export const TROUBLES: readonly Trouble[] = [
  "cut a participant",
  "network down",
  "kill a participant",
  "kill the curator",
  "kill the curator while it writes",
  "replay",
  "garbage",
  "forgery",
];

export interface ChaosOptions {
  readonly plan: Plan;
  readonly tasks: TaskSet;
  readonly seed: string;
  readonly participants?: number;
  readonly troubles: readonly Trouble[];
  /** How many of them happen. */
  readonly count: number;
  readonly loss?: number;
  /** A participant that is killed once the run has started, and never comes back. */
  readonly lost?: string;
  /** Secrets of participants, for plans on secure sums. */
  readonly identities?: (participant: string) => Uint8Array;
}

/** What is left when the run is over. */
export interface Aftermath {
  readonly curator: CuratorResult;
  readonly models: Record<string, FittedModel>;
  readonly statuses: readonly CuratorStatus[];
  /** Every frame the curator sent, as hexadecimal text, in order. */
  readonly sent: readonly Uint8Array[];
  readonly records: readonly Uint8Array[];
  /** What the curator's store held for a while. */
  readonly held: readonly Uint8Array[];
  /** What somebody who watches the network sees: when, who to whom, how many bytes. */
  readonly trace: readonly string[];
  /** What happened. */
  readonly log: readonly string[];
}

class Killed extends Error {}

/** Runs a plan through troubles, each at a random moment, and repairs each after a random while. */
export async function chaos(options: ChaosOptions): Promise<Aftermath> {
  const { plan, tasks, seed, troubles, count, participants = 3, loss = 0.1, lost } = options;
  const uniform = seededUniforms(seed);
  const random = () => uniform();
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!;
  const clock = new ManualClock();
  const network = new MemoryNetwork(clock, { random, loss, duplication: 0.1, delay: 800 });
  const statuses: CuratorStatus[] = [];
  const log: string[] = [];
  const sent: Uint8Array[] = [];
  const pushed: { from: string; message: Uint8Array }[] = [];
  const trace: string[] = [];
  network.watch = ({ from, to, message }) => {
    trace.push(traceLine(clock.now, from, to, message));
    if (from === "(curator)") sent.push(message);
    else pushed.push({ from, message });
  };
  const members = Object.entries(shares(tasks, participants));
  const store = new MemoryStore();
  const held: Uint8Array[] = [];
  const models: Record<string, FittedModel> = {};
  let result: CuratorResult | undefined;
  let failure: unknown;
  let gone = false;

  let killCurator = new AbortController();
  let crash: "before" | "after" | undefined;
  const crashing: RunStore = {
    load: () => store.load(),
    close: () => Promise.resolve(),
    hold: (record) => {
      if (record) held.push(record.slice());
      return store.hold(record);
    },
    append: async (record) => {
      const when = crash;
      crash = undefined;
      if (when !== "before") await store.append(record);
      if (when) {
        killCurator.abort(new Killed());
        throw new Killed();
      }
    },
  };
  const startCurator = () => {
    killCurator = new AbortController();
    runCurator({
      plan,
      transport: network.curator(),
      store: crashing,
      clock,
      patience: { remind: 1500, linger: 600_000 },
      onStatus: (status) => {
        statuses.push(status);
        if (status.kind === "started" && lost !== undefined) {
          clock.after(random() * 1500, () => {
            gone = true;
            killers[lost]!.abort(new Killed());
          });
        }
      },
      signal: killCurator.signal,
    }).then(
      (outcome) => (result = outcome),
      (error: unknown) => {
        if (!(error instanceof Killed)) failure = error;
        else clock.after(random() * 4000, startCurator);
      },
    );
  };

  const killers: Record<string, AbortController> = {};
  const stores = Object.fromEntries(members.map(([name]) => [name, new MemoryStore()]));
  const startParticipant = (name: string, names: readonly string[]) => {
    if (gone && name === lost) return;
    const killer = (killers[name] = new AbortController());
    joinRun({
      run: plan.run,
      participant: name,
      data: tasks.select(names),
      transport: network.participant(name),
      agreed: planHash(plan),
      store: stores[name]!,
      ...(options.identities ? { identity: options.identities(name) } : {}),
      clock,
      retry: 700,
      onModel: (model) => {
        models[name] = model;
      },
      signal: killer.signal,
    }).then(
      () => undefined,
      (error: unknown) => {
        if (!(error instanceof Killed)) failure = error;
        else if (!models[name]) clock.after(random() * 4000, () => startParticipant(name, names));
      },
    );
  };

  const strike = (trouble: Trouble): void => {
    log.push(`${Math.round(clock.now)} ms: ${trouble}`);
    const [name] = pick(members);
    switch (trouble) {
      case "cut a participant":
        network.cut(name, true);
        clock.after(random() * 6000, () => network.cut(name, false));
        return;
      case "network down":
        network.turn("down");
        clock.after(random() * 6000, () => network.turn("up"));
        return;
      case "kill a participant":
        if (!models[name]) killers[name]!.abort(new Killed());
        return;
      case "kill the curator":
        killCurator.abort(new Killed());
        return;
      case "kill the curator while it writes":
        crash = pick(["before", "after"] as const);
        return;
      case "replay": {
        const old = pushed.length > 0 ? pick(pushed) : undefined;
        if (old) network.inject(old.from, old.message);
        return;
      }
      case "forgery": {
        const old = pushed.length > 0 ? pick(pushed) : undefined;
        if (old)
          network.inject(pick(members.filter(([other]) => other !== old.from))[0], old.message);
        return;
      }
      case "garbage": {
        const old = pushed.length > 0 ? pick(pushed) : undefined;
        const bytes = old?.message.slice() ?? new Uint8Array(40);
        for (let k = 0; k < 3; k++)
          bytes[Math.floor(random() * bytes.length)]! ^= 1 + random() * 254;
        network.inject(
          name,
          random() < 0.5 ? bytes : bytes.slice(0, random() * (bytes.length - 1)),
        );
        return;
      }
    }
  };

  startCurator();
  for (const [name, names] of members) startParticipant(name, names);
  let at = 0;
  for (let k = 0; k < count; k++) {
    at += random() * 2500;
    const trouble = pick(troubles);
    clock.after(at, () => strike(trouble));
  }
  const awaited = members.map(([name]) => name).filter((name) => name !== lost);
  const done = () => result !== undefined && awaited.every((name) => models[name]);
  for (let steps = 0; !done(); steps++) {
    await settled(clock);
    if (failure !== undefined) throw failure;
    if (done()) break;
    if (!clock.step()) throw new Error(`the run waits for nothing after ${log.join("; ")}`);
    if (steps > 100_000) throw new Error(`the run does not end: ${log.join("; ")}`);
  }
  const records = await store.load();
  return { curator: result!, models, statuses, sent, records, held, trace, log };
}
