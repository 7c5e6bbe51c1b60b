/**
 * Federated runs on secure sums in one process.
 * @module
 */
import {
  makePlan,
  ManualClock,
  MemoryNetwork,
  MemoryStore,
  runCurator,
  type AggregationInput,
  type CuratorResult,
  type CuratorStatus,
  type NetworkFaults,
  type Passing,
  type Plan,
  type PlannedAggregation,
  type RunStore,
} from "../../../src/federation/index.js";
import type { FittedModel } from "../../../src/learning/index.js";
import { makeTasks } from "../../learning/tasks.js";
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
  }: {
    faults?: NetworkFaults;
    watch?: (passing: Passing, network: MemoryNetwork) => void;
    store?: RunStore;
    absent?: string[];
    epsilon?: Consent;
  } = {},
): Promise<Run> {
  const clock = new ManualClock();
  const network = new MemoryNetwork(clock, faults);
  if (watch) network.watch = (passing) => watch(passing, network);
  const statuses: CuratorStatus[] = [];
  const startCurator = (): Promise<CuratorResult> =>
    runCurator({
      plan,
      transport: network.curator(),
      store,
      clock,
      patience: { linger: 5000 },
      onStatus: (status) => statuses.push(status),
    }).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
      return new Promise((resolve) => {
        clock.after(1000, () => resolve(startCurator()));
      });
    });
  const curator = startCurator();
  const names = [...new Set(tasks.names.map((_, i) => owner(i)))];
  const joined = joinAll({
    ...{ plan, clock, network, epsilon },
    tasks: Object.fromEntries(names.map((name) => [name, tasks.select(ownTasks(name))])),
    identity: (participant) => identity(names.indexOf(participant)).secret,
  });
  const present = names.filter((name) => !absent.includes(name));
  const kept = joined.filter((_, i) => !absent.includes(names[i]!));
  joined.forEach((one) => one.catch(() => undefined));
  const [result, list] = await settle(clock, Promise.all([curator, Promise.all(kept)]));
  const models = Object.fromEntries(present.map((name, i) => [name, list[i]!]));
  return { curator: result, models, statuses };
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
