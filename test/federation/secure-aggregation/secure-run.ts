/**
 * Federated runs on secure sums in one process.
 * @module
 */
import {
  makePlan,
  ManualClock,
  MemoryNetwork,
  MemoryStore,
  planHash,
  runCurator,
  runRelay,
  type AggregationInput,
  type CuratorResult,
  type CuratorStatus,
  type NetworkFaults,
  type Passing,
  type ParticipantTransport,
  type Plan,
  type PlannedAggregation,
  type RelayStatus,
  type RunStore,
} from "../../../src/federation/index.js";
import type { FittedModel } from "../../../src/learning/index.js";
import { makeTasks } from "../../learning/tasks.js";
import { relayGroups } from "../../../src/federation/relays/plan/groups.js";
import { joinAll, settle, type Consent } from "../runs.js";
import { identity } from "./harness.js";

export const n = 5;
export const tasks = makeTasks({ m: 7, d: 4, rows: () => 15 });
export const owner = (i: number) => `p${i % n}`;
const ownTasks = (who: string) => tasks.names.filter((_, i) => owner(i) === who);

export const AGGREGATION: AggregationInput = {
  participants: Array.from({ length: n }, (_, i) => ({
    name: `p${i}`,
    identity: Buffer.from(identity(i).public).toString("hex"),
  })),
  threshold: 4,
  colluding: 1,
};

export function planOf(
  method: string,
  options: Record<string, unknown>,
  aggregation: Partial<AggregationInput> = {},
): Plan & { readonly aggregation: PlannedAggregation } {
  const plan = makePlan({
    run: "secure",
    method,
    features: tasks.featureNames,
    tasks: tasks.names.map((name, i) => ({ name, participant: owner(i) })),
    deadline: 60,
    options: { random: { mode: "seeded", seed: "s" }, delta: 1e-4, ...options },
    aggregation: { ...AGGREGATION, ...aggregation },
  });
  return { ...plan, aggregation: plan.aggregation as PlannedAggregation };
}

export interface Run {
  curator: CuratorResult;
  models: Record<string, FittedModel>;
  statuses: CuratorStatus[];
  relayStatuses: RelayStatus[];
  /** Sums that every relay of its last process passed on. */
  passed: number[];
}

/** What a store throws to kill its curator, which then starts again. */
export class Killed extends Error {}

/** Runs a plan; who is `absent` is not waited for. */
export async function run(
  plan: Plan,
  {
    faults,
    watch,
    store = new MemoryStore(),
    absent = [],
    epsilon,
    transports = (_name, own) => own,
  }: {
    faults?: NetworkFaults;
    /** Sees every message; `kill` ends a relay's process, and another one starts a second later. */
    watch?: (passing: Passing, network: MemoryNetwork, kill: (relay: string) => void) => void;
    store?: RunStore;
    absent?: string[];
    epsilon?: Consent;
    /** A relay's way to the network, for those that lie. */
    transports?: (name: string, transport: ParticipantTransport) => ParticipantTransport;
  } = {},
): Promise<Run> {
  const clock = new ManualClock();
  const network = new MemoryNetwork(clock, faults);
  if (watch) network.watch = (passing) => watch(passing, network, kill);
  const relayStatuses: RelayStatus[] = [];
  const processes = new Map<string, AbortController>();
  const kill = (relay: string) => processes.get(relay)!.abort(new Killed());
  const startRelay = (relay: string): Promise<number> => {
    const process = new AbortController();
    processes.set(relay, process);
    return runRelay({
      run: plan.run,
      relay,
      agreed: planHash(plan),
      clock,
      signal: process.signal,
      transport: transports(relay, network.participant(relay)),
      onStatus: (status) => relayStatuses.push(status),
    }).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
      return new Promise((resolve, reject) => {
        clock.after(1000, () => void startRelay(relay).then(resolve, reject));
      });
    });
  };
  const statuses: CuratorStatus[] = [];
  const startCurator = (): Promise<CuratorResult> =>
    runCurator({
      plan,
      transport: network.curator(),
      store,
      clock,
      // Where a tenth of the messages is lost, a few say that it is over.
      patience: { linger: 60_000 },
      onStatus: (status) => statuses.push(status),
    }).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
      return new Promise((resolve) => {
        clock.after(1000, () => resolve(startCurator()));
      });
    });
  const curator = startCurator();
  const relays = relayGroups(plan.aggregation as PlannedAggregation).map(({ name }) => name);
  const relayed = relays.filter((name) => !absent.includes(name)).map(startRelay);
  const names = [...new Set(tasks.names.map((_, i) => owner(i)))];
  const joined = joinAll({
    plan,
    clock,
    network,
    epsilon,
    tasks: Object.fromEntries(names.map((name) => [name, tasks.select(ownTasks(name))])),
    identity: (participant) => identity(names.indexOf(participant)).secret,
  });
  const present = names.filter((name) => !absent.includes(name));
  const kept = joined.filter((_, i) => !absent.includes(names[i]!));
  joined.forEach((one) => one.catch(() => undefined));
  const all = Promise.all([curator, Promise.all(kept), Promise.all(relayed)]);
  const [result, list, passed] = await settle(clock, all);
  const models = Object.fromEntries(present.map((name, i) => [name, list[i]!]));
  return { curator: result, models, statuses, relayStatuses, passed };
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
