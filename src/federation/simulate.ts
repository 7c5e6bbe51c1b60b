/**
 * A whole federated run in one process: the same machines, driver and messages, a network in memory, and time
 * that passes only when everyone waits.
 * @module
 */
import { integer, nonNegative, object, openCore, OptionError, type Core } from "../core/index.js";
import { requireTaskSet } from "../data/checks/require-task-set.js";
import { seededUniforms, type TaskSet } from "../data/index.js";
import type { FittedModel } from "../learning/index.js";
import type { CuratorResult, CuratorStatus } from "./curator/events/curator-events.js";
import { runCurator } from "./curator/drive-curator.js";
import { joinRun } from "./participant/drive-participant.js";
import { ManualClock } from "./protocol/machine/clock.js";
import type { RunStore } from "./protocol/machine/machine.js";
import { CURATOR, MemoryNetwork } from "./protocol/machine/memory-transport.js";
import { planHash } from "./protocol/plan/plan-hash.js";
import type { Plan } from "./protocol/plan/plan-form.js";

/** What is simulated. */
export interface SimulateFederationOptions {
  /** The plan of the run. */
  readonly plan: Plan;
  /** All tasks of the run, those of latecomers among them. */
  readonly tasks: TaskSet;
  /** The tasks are dealt to so many participants in turn; default one for each. */
  readonly participants?: number;
  /** Probability that a participant is cut off when a round opens, in [0, 1); default 0. */
  readonly dropOut?: number;
  /** Longest time it stays away, in seconds, drawn uniformly; default twice the plan's deadline. */
  readonly away?: number;
  /** The last participants come after a round was closed; the plan keeps places for their tasks (`latecomers`). */
  readonly late?: {
    /** How many come late. */
    readonly participants: number;
    /** The round after whose close they come, 1-based. */
    readonly after: number;
  };
  /** Longest delay of a message, in milliseconds, drawn uniformly; default 20. */
  readonly latency?: number;
  /** Of drop-outs and delays; default 0. */
  readonly seed?: string | number;
  /** Called when a round has closed. */
  readonly onRound?: (round: SimulatedRound) => void;
}

/** What a round took. Bytes and messages are those sent since the round before closed. */
export interface SimulatedRound {
  /** 1-based. */
  readonly round: number;
  /** Tasks of the run. */
  readonly expected: number;
  /** Tasks whose vectors arrived, zeros of those not drawn among them. */
  readonly present: number;
  /** Messages from participants to the curator. */
  readonly messagesIn: number;
  /** Their bytes. */
  readonly bytesIn: number;
  /** Messages to one participant each. */
  readonly messagesOut: number;
  /** Their bytes. */
  readonly bytesOut: number;
  /** Bytes of the broadcasts, each counted once. */
  readonly bytesBroadcast: number;
  /** Simulated time, in milliseconds. */
  readonly time: number;
}

/** What is left. */
export interface FederationSimulation {
  /** What is left on the curator's side. */
  readonly curator: CuratorResult;
  /** Every round, in order. */
  readonly rounds: readonly SimulatedRound[];
  /** Every participant's own models, by its name `p0`, `p1`, … */
  readonly models: ReadonlyMap<string, FittedModel>;
}

/** Participants that share a core: each alone would need a WebAssembly memory of its own. */
const PER_CORE = 1000;

/**
 * Runs a plan with thousands of participants.
 *
 * With `random: { mode: "seeded" }` and no drop-outs the models are, bit for bit, those of the local
 * fit. A task that is absent in a round counts as zero in it; one that comes back goes through the
 * rounds it missed; with a quorum of 1 nobody is left out and the run waits.
 *
 * @throws OptionError if the run cannot go on: everyone waits, and nothing is on its way.
 * @example
 * const { models } = await simulateFederation({ plan, tasks, dropOut: 0.1 });
 */
export async function simulateFederation(
  options: SimulateFederationOptions,
): Promise<FederationSimulation> {
  const { plan, tasks, latency = 20, seed = 0 } = object("options", options);
  object("plan", plan);
  requireTaskSet("tasks", tasks);
  const count = integer("participants", options.participants ?? tasks.m, 1, tasks.m);
  const late = integer("late.participants", options.late?.participants ?? 0, 0, count - 1);
  const names = Array.from({ length: count }, (_, k) => `p${k}`);
  const dealt: string[][] = names.map(() => []);
  tasks.names.forEach((name, i) => dealt[i % count]!.push(name));
  const there = dealt.slice(0, count - late).flat().length;
  if (there < plan.minimumTasks) {
    throw new OptionError(`minimumTasks: the plan needs ${plan.minimumTasks}, there are ${there}`);
  }
  const dropOut = nonNegative("dropOut", options.dropOut ?? 0);
  const away = 1000 * nonNegative("away", options.away ?? 2 * plan.deadline);
  const random = seededUniforms(seed, "simulate federation");
  const clock = new ManualClock();
  const network = new MemoryNetwork(clock, { random, delay: latency });
  const traffic = meter(network);
  const rounds: SimulatedRound[] = [];
  let admit: () => void = () => undefined;
  const admitted = new Promise<void>((resolve) => (admit = resolve));

  const status = (event: CuratorStatus) => {
    if (event.kind === "round" && dropOut > 0) {
      for (const name of names) {
        if (random() >= dropOut) continue;
        network.cut(name, true);
        clock.after(random() * away, () => network.cut(name, false));
      }
    }
    if (event.kind !== "closed") return;
    const { round, expected, present } = event;
    if (round === options.late?.after) admit();
    const figures = { round, expected, present, ...traffic.take(), time: clock.now };
    rounds.push(figures);
    options.onRound?.(figures);
  };
  const byHand = plan.tasks === null && plan.registration === null;
  const curator = runCurator({
    plan,
    clock,
    store: NO_STORE,
    transport: network.curator(),
    patience: { linger: 10 * away + 60_000 },
    onStatus: status,
    // Registering takes three messages: hello, plan, register.
    onReady: ({ begin }) => byHand && clock.after(4 * latency + 1, begin),
  });
  const agreed = planHash(plan);
  let core: Core | undefined;
  const joined = names.map(async (participant, k) => {
    if (k >= count - late) await admitted;
    if (core === undefined || k % PER_CORE === 0) core = openCore();
    const data = tasks.select(dealt[k]!);
    const transport = network.participant(participant);
    return joinRun({
      store: NO_STORE,
      run: plan.run,
      participant,
      data,
      transport,
      agreed,
      clock,
      core,
    });
  });
  const [result, models] = await passTime(clock, Promise.all([curator, Promise.all(joined)]));
  return { curator: result, rounds, models: new Map(names.map((name, k) => [name, models[k]!])) };
}

/** Nobody in a simulation is killed, so nothing has to outlive anybody. */
const NO_STORE: RunStore = {
  load: () => Promise.resolve([]),
  append: () => undefined,
  hold: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/**
 * Turns the clock until the outcome is there.
 * @throws OptionError if nothing would ever happen again.
 */
async function passTime<Outcome>(clock: ManualClock, outcome: Promise<Outcome>): Promise<Outcome> {
  let over = false;
  const end = outcome.finally(() => (over = true));
  end.catch(() => undefined);
  // First everybody begins to listen; in the end what was said last is carried out.
  await hostTurn();
  while (!over) {
    await clock.settled();
    if (clock.step()) continue;
    await hostTurn();
    if (!over && !clock.step()) {
      throw new OptionError("simulation: everyone waits, and nothing is on its way");
    }
  }
  return end;
}

/** Lets everything run that waits for nothing. */
const hostTurn = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Counts what is sent, from one round to the next. */
function meter(network: MemoryNetwork) {
  const zero = () => ({
    messagesIn: 0,
    bytesIn: 0,
    messagesOut: 0,
    bytesOut: 0,
    bytesBroadcast: 0,
  });
  let now = zero();
  network.watch = ({ from, to, message }) => {
    if (from !== CURATOR) {
      now.messagesIn++;
      now.bytesIn += message.length;
    } else if (to === "") now.bytesBroadcast += message.length;
    else {
      now.messagesOut++;
      now.bytesOut += message.length;
    }
  };
  return {
    take: () => {
      const taken = now;
      now = zero();
      return taken;
    },
  };
}
