/**
 * A whole federated run in one process: the same machines and messages, a network in memory, and time
 * that passes only when everyone waits.
 * @module
 */
import { integer, nonNegative, openCore, OptionError, type Core } from "../core/index.js";
import { seededUniforms, type TaskSet } from "../data/index.js";
import type { FittedModel } from "../learning/index.js";
import { ManualClock } from "./protocol/clock.js";
import type {
  CuratorEffect,
  CuratorEvent,
  CuratorResult,
  CuratorStatus,
} from "./curator/curator-events.js";
import { CuratorMachine } from "./curator/curator-machine.js";
import type { MachineEffect } from "./protocol/machine.js";
import { CURATOR, MemoryNetwork } from "./protocol/memory-transport.js";
import type { ParticipantEffect, ParticipantEvent } from "./participant/participant-events.js";
import { ParticipantMachine } from "./participant/participant-machine.js";
import { planHash, type Plan } from "./protocol/plan.js";

/** What is simulated. */
export interface SimulateFederationOptions {
  readonly plan: Plan;
  readonly tasks: TaskSet;
  /** The tasks are dealt to so many participants in turn; default one for each. */
  readonly participants?: number;
  /** Probability that a participant is cut off when a round opens, in [0, 1); default 0. */
  readonly dropOut?: number;
  /** Longest time it stays away, in seconds, drawn uniformly; default twice the plan's deadline. */
  readonly away?: number;
  /** Longest delay of a message, in milliseconds, drawn uniformly; default 20. */
  readonly latency?: number;
  /** Of drop-outs and delays; default 0. */
  readonly seed?: string | number;
  /** Called when a round has closed. */
  readonly onRound?: (round: SimulatedRound) => void;
}

/** What a round took. Bytes and messages are those sent since the round before closed. */
export interface SimulatedRound {
  readonly round: number;
  /** Tasks expected, and those whose vectors arrived. */
  readonly expected: number;
  readonly present: number;
  /** Messages and bytes from participants to the curator. */
  readonly messagesIn: number;
  readonly bytesIn: number;
  /** Messages to one participant each, with their bytes; and the bytes of the broadcasts. */
  readonly messagesOut: number;
  readonly bytesOut: number;
  readonly bytesBroadcast: number;
  /** Simulated time, in milliseconds. */
  readonly time: number;
}

/** What is left. */
export interface FederationSimulation {
  readonly curator: CuratorResult;
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
  const { plan, tasks, latency = 20, seed = 0 } = options;
  const count = integer("participants", options.participants ?? tasks.m, 1, tasks.m);
  if (tasks.m < plan.minimumTasks) {
    throw new OptionError(
      `minimumTasks: the plan needs ${plan.minimumTasks}, there are ${tasks.m}`,
    );
  }
  const dropOut = nonNegative("dropOut", options.dropOut ?? 0);
  const away = 1000 * nonNegative("away", options.away ?? 2 * plan.deadline);
  const random = seededUniforms(seed, "simulate federation");
  const clock = new ManualClock();
  const network = new MemoryNetwork(clock, { random, delay: latency });
  const traffic = meter(network);
  const rounds: SimulatedRound[] = [];
  const names = Array.from({ length: count }, (_, k) => `p${k}`);
  const dealt: string[][] = names.map(() => []);
  tasks.names.forEach((name, i) => dealt[i % count]!.push(name));

  let result: CuratorResult | undefined;
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
    const figures = { round, expected, present, ...traffic.take(), time: clock.now };
    rounds.push(figures);
    options.onRound?.(figures);
  };
  const hash = planHash(plan);
  const curator = new CuratorMachine(plan, "0".repeat(32), [], { farewell: 10 * away + 60_000 });
  const begin = simulateCurator(curator, network, clock, status, (end) => (result = end));

  const models = new Map<string, FittedModel>();
  const completing: (() => Promise<void>)[] = [];
  let core: Core | undefined;
  names.forEach((participant, k) => {
    if (k % PER_CORE === 0) core = openCore();
    const own = tasks.select(dealt[k]!);
    const { run } = plan;
    const machine = new ParticipantMachine({
      run,
      participant,
      data: own,
      agreed: hash,
      core,
      records: [],
    });
    simulateParticipant(machine, network, clock, completing, (model) =>
      models.set(participant, model),
    );
  });

  // Registering takes three messages: hello, plan, register.
  if (plan.tasks === null && plan.registration === null) clock.after(4 * latency + 1, begin);
  while (!result || models.size < count) {
    const work = completing.shift();
    if (work) {
      await work();
      continue;
    }
    if (!clock.step()) {
      throw new OptionError("simulation: everyone waits, and nothing is on its way");
    }
  }
  curator.dispose();
  return { curator: result, rounds, models };
}

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

/** Timers by name, on a clock that is turned by hand. */
function timersOn(clock: ManualClock, ring: (name: string) => void) {
  const running = new Map<string, () => void>();
  return (effect: MachineEffect) => {
    if (effect.type === "append" || effect.type === "hold") return;
    running.get(effect.name)?.();
    running.delete(effect.name);
    if (effect.type !== "timer") return;
    running.set(
      effect.name,
      clock.after(effect.milliseconds, () => {
        running.delete(effect.name);
        ring(effect.name);
      }),
    );
  };
}

/** Connects the curator's machine; the answer starts the run. */
function simulateCurator(
  machine: CuratorMachine,
  network: MemoryNetwork,
  clock: ManualClock,
  status: (status: CuratorStatus) => void,
  end: (result: CuratorResult) => void,
): () => void {
  const transport = network.curator();
  const post = (event: CuratorEvent) => machine.handle(event).forEach(perform);
  const timers = timersOn(clock, (name) => post({ type: "timer", name }));
  const perform = (effect: CuratorEffect) => {
    switch (effect.type) {
      case "send":
        void transport.send(effect.to, effect.message);
        return;
      case "broadcast":
        void transport.broadcast(effect.message);
        return;
      case "status":
        status(effect.status);
        return;
      case "end":
        end(effect.result);
        return;
      default:
        timers(effect);
    }
  };
  transport.listen({
    message: (from, message) => post({ type: "message", from, message }),
    link: (state) => post({ type: "link", state }),
  });
  return () => post({ type: "begin" });
}

function simulateParticipant(
  machine: ParticipantMachine,
  network: MemoryNetwork,
  clock: ManualClock,
  completing: (() => Promise<void>)[],
  end: (model: FittedModel) => void,
): void {
  const transport = network.participant(machine.name);
  const post = (event: ParticipantEvent) => machine.handle(event).forEach(perform);
  const timers = timersOn(clock, (name) => post({ type: "timer", name }));
  const perform = (effect: ParticipantEffect) => {
    switch (effect.type) {
      case "send":
        void transport.send(effect.message);
        return;
      case "complete":
        completing.push(async () => {
          end(await machine.complete());
          post({ type: "completed" });
        });
        return;
      case "end":
        machine.dispose();
        return;
      case "fail":
        throw effect.error;
      case "show":
      case "status":
        return;
      default:
        timers(effect);
    }
  };
  transport.listen({
    message: (message, scope) => post({ type: "message", message, scope }),
    link: (state) => post({ type: "link", state }),
  });
}
