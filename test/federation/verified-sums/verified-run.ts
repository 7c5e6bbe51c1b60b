/**
 * Federated runs over two aggregators in one process: curator, helper and participants, each killed and started again at will.
 * @module
 */
import {
  joinRun,
  makePlan,
  ManualClock,
  MemoryNetwork,
  MemoryStore,
  planHash,
  runCurator,
  type CuratorResult,
  type CuratorStatus,
  type NetworkFaults,
  type ParticipantTransport,
  type Passing,
  type Plan,
  type RunStore,
} from "../../../src/federation/index.js";
import {
  keyPair,
  randomBytesFrom,
  runHelper,
  type HelperStatus,
} from "../../../src/federation/verified-sums/index.js";
import type { FittedModel } from "../../../src/learning/index.js";
import type { Ledger } from "../../../src/privacy/index.js";
import { makeTasks } from "../../learning/tasks.js";
import { settle } from "../runs.js";

export const tasks = makeTasks({ m: 7, d: 4, rows: () => 15 });
export const names = ["p0", "p1", "p2", "p3", "p4"];
const ownTasks = (who: string) => tasks.names.filter((_, i) => names[i % names.length] === who);

const random = randomBytesFrom({ mode: "seeded", seed: "aggregators" });
export const leader = keyPair(random);
export const helper = keyPair(random);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
export const AGGREGATORS = {
  kind: "two-aggregators",
  leader: hex(leader.public),
  helper: { name: "helper", key: hex(helper.public) },
} as const;

export function planOf(method: string, options: Record<string, unknown>, more: object = {}): Plan {
  return makePlan({
    run: "verified",
    method,
    features: tasks.featureNames,
    tasks: tasks.names.map((name) => ({ name, participant: null })),
    deadline: 60,
    aggregation: AGGREGATORS,
    ...more,
    options: { random: { mode: "seeded", seed: "s" }, delta: 1e-4, ...options },
  });
}

/** What a store throws, or a signal says, to kill its owner, which then starts again. */
export class Killed extends Error {}

/** A store that kills its owner when `kills` says so of a record, before or after it is kept. */
export class KillingStore extends MemoryStore {
  readonly #kills: (record: Uint8Array, number: number) => "before" | "after" | undefined;
  #number = 0;
  killed = 0;

  constructor(kills: (record: Uint8Array, number: number) => "before" | "after" | undefined) {
    super();
    this.#kills = kills;
  }

  override async append(record: Uint8Array): Promise<void> {
    const when = this.#kills(record, this.#number++);
    if (when !== "before") await super.append(record);
    if (when === undefined) return;
    this.killed++;
    throw new Killed();
  }
}

export interface VerifiedRun {
  readonly curator: CuratorResult;
  /** What the helper gave out, by its own account. */
  readonly ledger: Ledger | undefined;
  readonly models: Record<string, FittedModel>;
  readonly statuses: CuratorStatus[];
  readonly helperStatuses: HelperStatus[];
}

export interface VerifiedRunOptions {
  readonly faults?: NetworkFaults;
  readonly watch?: (passing: Passing, network: MemoryNetwork) => void;
  readonly store?: RunStore;
  readonly helperStore?: RunStore;
  /** A participant's way to the network, for those that lie. */
  readonly transports?: (name: string, transport: ParticipantTransport) => ParticipantTransport;
  /** Not waited for. */
  readonly absent?: readonly string[];
}

/** Runs a plan; who is killed comes back after a second. */
export async function run(plan: Plan, options: VerifiedRunOptions = {}): Promise<VerifiedRun> {
  const { faults, watch, absent = [], transports = (_name, own) => own } = options;
  const { store = new MemoryStore(), helperStore = new MemoryStore() } = options;
  const clock = new ManualClock();
  const network = new MemoryNetwork(clock, faults);
  if (watch) network.watch = (passing) => watch(passing, network);
  const statuses: CuratorStatus[] = [];
  const helperStatuses: HelperStatus[] = [];
  const again = <T>(start: () => Promise<T>): Promise<T> =>
    start().catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
      return new Promise<T>((resolve, reject) => {
        clock.after(1000, () => again(start).then(resolve, reject));
      });
    });
  const agreed = planHash(plan);
  const curator = again(() =>
    runCurator({
      plan,
      store,
      clock,
      leaderKey: leader.secret,
      transport: network.curator(),
      patience: { linger: 5000 },
      onStatus: (status) => statuses.push(status),
    }),
  );
  const helping = again(() =>
    runHelper({
      run: plan.run,
      helper: "helper",
      key: helper.secret,
      agreed,
      clock,
      store: helperStore,
      transport: network.participant("helper"),
      onStatus: (status) => helperStatuses.push(status),
    }),
  );
  const joined = names.map((participant) =>
    joinRun({
      run: plan.run,
      participant,
      agreed,
      clock,
      store: new MemoryStore(),
      data: tasks.select(ownTasks(participant)),
      transport: transports(participant, network.participant(participant)),
    }),
  );
  joined.forEach((one) => one.catch(() => undefined));
  const present = names.filter((name) => !absent.includes(name));
  const kept = joined.filter((_, i) => present.includes(names[i]!));
  const all = Promise.all([curator, helping, Promise.all(kept)]);
  const [result, ledger, list] = await settle(clock, all);
  const models = Object.fromEntries(present.map((name, i) => [name, list[i]!]));
  return { curator: result, ledger, models, statuses, helperStatuses };
}

/** Weights of all tasks there are models of, by task. */
export function weightsOf(models: Record<string, FittedModel>): Map<string, number[]> {
  const weights = new Map<string, number[]>();
  for (const model of Object.values(models)) {
    model.taskNames.forEach((name, i) => {
      weights.set(name, [...model.weights.slice(i * model.d, (i + 1) * model.d)]);
    });
  }
  return weights;
}
