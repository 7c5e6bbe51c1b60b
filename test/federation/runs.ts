/**
 * Runs in memory for tests: tasks, participants, and the local fit that a run must equal.
 * @module
 */
import type { TaskSet } from "../../src/data/index.js";
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
  type Plan,
  type PlanInput,
  type RunStore,
} from "../../src/federation/index.js";
import { makeEstimator, type FittedModel } from "../../src/learning/index.js";

/** Everything but 0 is turned by `turn`: many microtasks pass before the clock moves. */
export async function settle<T>(
  clock: ManualClock,
  result: Promise<T>,
  most = 200_000,
): Promise<T> {
  let done = false;
  const end = result.finally(() => (done = true));
  end.catch(() => undefined);
  for (let steps = 0; !done; steps++) {
    await settled(clock);
    if (done) break;
    if (!clock.step() && !done) {
      await quiet();
      if (!done && !clock.step()) throw new Error("the run waits for nothing");
    }
    if (steps > most) throw new Error("the run does not end");
  }
  return end;
}

/** Lets all work that is ready run, and what it begins: records are kept before a model is completed. */
export async function settled(clock: ManualClock): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await quiet();
    await clock.settled();
  }
}

/** Lets all work that is ready run. */
export const quiet = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Splits tasks among participants: participant k has the tasks with index k modulo `count`. */
export function shares(tasks: TaskSet, count: number): Record<string, string[]> {
  const out: Record<string, string[]> = {};
  tasks.names.forEach((name, i) => (out[`p${i % count}`] ??= []).push(name));
  return out;
}

/** The tasks of each of so many participants, by their names. */
export const dealt = (tasks: TaskSet, count: number): Record<string, TaskSet> =>
  Object.fromEntries(
    Object.entries(shares(tasks, count)).map(([name, own]) => [name, tasks.select(own)]),
  );

/** A plan for these tasks, seeded, complete when all are there. */
export function planFor(
  tasks: TaskSet,
  input: Partial<PlanInput> & Pick<PlanInput, "method">,
): Plan {
  return makePlan({
    run: "test",
    features: tasks.featureNames,
    tasks: tasks.names.map((name) => ({ name, participant: null })),
    ...input,
    options: { random: { mode: "seeded", seed: "federated" }, delta: 1e-3, ...input.options },
  });
}

/** The models of a local fit of the plan. */
export function localFit(plan: Plan, tasks: TaskSet): Promise<FittedModel> {
  return makeEstimator(plan.method, plan.options).fit(tasks);
}

/** Who takes part in a run in memory, and in which network. */
export interface Members {
  readonly plan: Plan;
  readonly clock: ManualClock;
  readonly network: MemoryNetwork;
  /** Every participant's own tasks. */
  readonly tasks: Readonly<Record<string, TaskSet>>;
  /** The secret of a participant's identity, where sums are secure. */
  readonly identity?: (participant: string) => Uint8Array;
  /** What a participant consents to; default the plan's. */
  readonly epsilon?: Consent | undefined;
}

/** What a participant consents to, of all its tasks or of each. */
export type Consent = (participant: string) => number | Record<string, number> | undefined;

/** Has everyone join who has tasks, each with a store of its own, the plan agreed to. */
export function joinAll({
  plan,
  clock,
  network,
  tasks,
  identity,
  epsilon,
}: Members): Promise<FittedModel>[] {
  return Object.entries(tasks).map(([participant, data]) => {
    const own = epsilon?.(participant);
    return joinRun({
      run: plan.run,
      participant,
      data,
      clock,
      agreed: planHash(plan),
      transport: network.participant(participant),
      store: new MemoryStore(),
      ...(identity ? { identity: identity(participant) } : {}),
      ...(own === undefined ? {} : { epsilon: own }),
    });
  });
}

/** What a run in memory leaves. */
export interface Outcome {
  readonly curator: CuratorResult;
  readonly models: Record<string, FittedModel>;
  readonly statuses: readonly CuratorStatus[];
  readonly network: MemoryNetwork;
}

/** Runs a plan in memory. */
export async function federate(
  plan: Plan,
  tasks: TaskSet,
  {
    participants = 3,
    faults,
    store = new MemoryStore(),
    watch,
    clock = new ManualClock(),
    epsilon,
  }: {
    participants?: number;
    faults?: NetworkFaults;
    store?: RunStore;
    watch?: MemoryNetwork["watch"];
    clock?: ManualClock;
    epsilon?: Consent;
  } = {},
): Promise<Outcome> {
  const network = new MemoryNetwork(clock, faults);
  network.watch = watch;
  const statuses: CuratorStatus[] = [];
  const curator = runCurator({
    plan,
    transport: network.curator(),
    store,
    clock,
    onStatus: (status) => statuses.push(status),
  });
  const members = dealt(tasks, participants);
  const joined = joinAll({ plan, clock, network, tasks: members, epsilon });
  const all = await settle(clock, Promise.all([curator, Promise.all(joined)]));
  const models = Object.fromEntries(Object.keys(members).map((name, k) => [name, all[1][k]!]));
  return { curator: all[0], models, statuses, network };
}

/** What can be seen of a message on its way: when it was sent, by whom to whom, how long it is. */
export function traceLine(now: number, from: string, to: string, message: Uint8Array): string {
  return `${now} ms: ${from} to ${to || "all"}, ${message.length} bytes`;
}

/** One task's weights and intercepts. */
export function taskBits(model: FittedModel, task: string): string {
  const i = model.taskNames.indexOf(task);
  const k = model.weights.length / model.m;
  const own = model.weights.slice(i * k, (i + 1) * k);
  const b = model.intercepts;
  const levels = b ? b.slice((i * b.length) / model.m, ((i + 1) * b.length) / model.m) : [];
  const floats = Float64Array.of(...own, ...levels);
  return Buffer.from(floats.buffer).toString("hex");
}
