/**
 * Runs in memory whose parties are killed at given moments and come back: every message that is sent is a moment, and so are the
 * ones before and after every record that is kept.
 * @module
 */
import type { TaskSet } from "../../src/data/index.js";
import {
  decodeFrame,
  decodeMessage,
  joinRun,
  makePlan,
  ManualClock,
  MemoryNetwork,
  MemoryStore,
  planHash,
  RunOverError,
  runCurator,
  runRelay,
  type CuratorResult,
  type CuratorStatus,
  type Plan,
  type RunStore,
} from "../../src/federation/index.js";
import { runHelper } from "../../src/federation/verified-sums/index.js";
import type { FittedModel } from "../../src/learning/index.js";
import { makeTasks } from "../learning/tasks.js";
import { dealt, planFor, settle } from "./runs.js";
import * as verified from "./verified-sums/verified-run.js";

export const CURATOR = "(curator)";

/** The party that is killed at a moment of the run, the first of which is 0. */
export interface Kill {
  readonly who: string;
  readonly at: number;
}

/** Who is in the run besides the curator. */
export interface Parties {
  readonly plan: Plan;
  readonly tasks: Readonly<Record<string, TaskSet>>;
  readonly identity?: (participant: string) => Uint8Array;
  readonly relays?: readonly string[];
  /** Secrets of leader and helper. */
  readonly keys?: { readonly leader: Uint8Array; readonly helper: Uint8Array };
  /** Opens what a party keeps, for each of its processes; default in memory. */
  readonly open?: (who: string) => RunStore;
  /** Whether a party that fails so is started again, as one that was killed is. */
  readonly survives?: (error: unknown) => boolean;
}

/** What is left of a run. */
export interface Survived {
  readonly moments: number;
  /** What happened at each moment. */
  readonly trace: readonly string[];
  /** What was drawn or said more than once and not the same: there must be nothing. */
  readonly twice: readonly string[];
  readonly models: Readonly<Record<string, FittedModel>>;
  /** Who came back and found the run over, its own part done. */
  readonly over: readonly string[];
  readonly curator: CuratorResult;
  readonly statuses: readonly CuratorStatus[];
}

/** Nothing is drawn from a seed, so what is drawn twice is not the same. */
const random = { mode: "secure" };
export const unseeded = (plan: Plan) => makePlan({ ...plan, options: { ...plan.options, random } });

const few = makeTasks({ m: 3, d: 3, rows: () => 8 });

/** Three participants of a task each, and sums that the curator sees. */
export const plain = (method: string, options: object): Parties => ({
  plan: planFor(few, { method, deadline: 20, options: { rounds: 2, ...options, random } }),
  tasks: dealt(few, 3),
});

const four = makeTasks({ m: 4, d: 3, rows: () => 15 });

/** Three participants, one of them with two tasks, and means that two aggregators add up: proofs of norms take most of a run's time. */
export const twoAggregators: Parties = {
  plan: unseeded(
    verified.planOf(
      "pmtl",
      { rounds: 2, epsilon: 5 },
      {
        features: four.featureNames,
        tasks: four.names.map((name) => ({ name, participant: null })),
      },
    ),
  ),
  tasks: dealt(four, 3),
  keys: { leader: verified.leader.secret, helper: verified.helper.secret },
};

class Killed extends Error {}

/** Stores that outlive the processes of those whose they are. */
function inMemory(): (who: string) => RunStore {
  const stores = new Map<string, MemoryStore>();
  return (who) => {
    const store = stores.get(who) ?? new MemoryStore();
    stores.set(who, store);
    return store;
  };
}

/** Runs a plan through kills; who is killed starts again a second later, from its store. */
export async function runKilled(
  { plan, tasks, identity, relays = [], keys, open = inMemory(), survives }: Parties,
  kills: readonly Kill[] = [],
  { most = 20_000 } = {},
): Promise<Survived> {
  const clock = new ManualClock();
  const network = new MemoryNetwork(clock);
  const agreed = planHash(plan);
  const processes = new Map<string, AbortController>();
  const said = new Map<string, Set<string>>();
  const trace: string[] = [];
  const left = [...kills];
  const note = (name: string, bytes: ArrayLike<number>) => {
    said.set(name, (said.get(name) ?? new Set()).add(Array.from(bytes).join()));
  };
  /** @returns whether that one was killed now. */
  const moment = (what: string, whose: string): boolean => {
    const at = trace.push(what) - 1;
    let own = false;
    while (left[0] && left[0].at <= at) {
      const { who } = left.shift()!;
      processes.get(who)?.abort(new Killed());
      own ||= who === whose;
    }
    return own;
  };
  network.watch = ({ from, to, message }) => {
    const body = decodeMessage(message);
    if (body.type === "broadcast") note(`broadcast ${body.round}`, body.values);
    if (body.type === "upload") note(`upload ${body.round} of ${from}`, body.values);
    if (body.type === "given") note(`share ${body.round} of the helper`, body.bytes);
    moment(`${from} to ${to || "all"}: ${body.type}`, from);
  };
  const storeOf = (who: string): RunStore => {
    const store = open(who);
    const durable = async (
      what: string,
      record: Uint8Array | null,
      keep: () => Promise<void> | undefined,
    ) => {
      const { header, values, bytes } = record
        ? decodeFrame(record)
        : { header: { type: "nothing" }, values: [], bytes: [] };
      const {
        type,
        round,
        attempt = 0,
      } = header as { type: string; round?: number; attempt?: number };
      if (moment(`${who} before ${what} ${type}`, who)) throw new Killed();
      await keep();
      if (["release", "integers", "shown", "given"].includes(type)) {
        note(`${type} ${round} of ${who}`, values.length > 0 ? values : bytes);
      }
      // What a helper withheld was not opened: another attempt has other sums.
      if (type === "opening") note(`opening ${round}, attempt ${attempt}`, [...bytes, 0]);
      if (moment(`${who} after ${what} ${type}`, who)) throw new Killed();
    };
    return {
      load: () => store.load(),
      append: (record) => durable("append", record, () => store.append(record)),
      hold: (record) => durable("hold", record, () => store.hold!(record)),
      close: () => store.close(),
    };
  };
  const again = <T>(who: string, start: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const process = new AbortController();
    processes.set(who, process);
    return start(process.signal).catch((error: unknown) => {
      if (!(error instanceof Killed) && !survives?.(error)) throw error;
      return new Promise<T>((resolve, reject) => {
        clock.after(1000, () => void again(who, start).then(resolve, reject));
      });
    });
  };
  const statuses: CuratorStatus[] = [];
  const curator = again(CURATOR, async (signal) =>
    runCurator({
      plan,
      clock,
      signal,
      store: storeOf(CURATOR),
      transport: network.curator(),
      ...(keys ? { leaderKey: keys.leader } : {}),
      onStatus: (status) => statuses.push(status),
    }),
  );
  const models: Record<string, FittedModel> = {};
  const over: string[] = [];
  /** A process that found the run over, whose part an earlier one had done. */
  const unlessOver = (who: string) => (error: unknown) => {
    if (!(error instanceof RunOverError)) throw error;
    over.push(who);
  };
  const others: Promise<unknown>[] = Object.entries(tasks).map(([participant, data]) => {
    return again(participant, async (signal) =>
      joinRun({
        run: plan.run,
        participant,
        data,
        agreed,
        clock,
        signal,
        store: storeOf(participant),
        transport: network.participant(participant),
        ...(identity ? { identity: identity(participant) } : {}),
        onModel: (model) => void (models[participant] = model),
      }),
    ).catch(unlessOver(participant));
  });
  // A relay has no state: one that comes back when all is over waits for a plan, and says so.
  for (const relay of relays) {
    again(relay, (signal) => {
      const transport = network.participant(relay);
      return runRelay({ run: plan.run, relay, agreed, clock, signal, transport });
    }).catch(() => undefined);
  }
  if (keys) {
    const { name: helper } = (plan.aggregation as { helper: { name: string } }).helper;
    others.push(
      again(helper, async (signal) => {
        const transport = network.participant(helper);
        const own = { key: keys.helper, store: storeOf(helper), clock, signal, transport };
        return runHelper({ ...own, run: plan.run, helper, agreed });
      }).catch(unlessOver(helper)),
    );
  }
  for (const one of others) one.catch(() => undefined);
  const [result] = await settle(clock, Promise.all([curator, Promise.all(others)]), most);
  const twice = [...said].flatMap(([name, values]) => (values.size > 1 ? [name] : []));
  return { moments: trace.length, trace, twice, models, over, curator: result, statuses };
}
