/**
 * A curator's machine with somebody to talk to it, for tests event by event.
 * @module
 */
import {
  CuratorMachine,
  decodeMessage,
  encodeMessage,
  makePlan,
  planHash,
  type Body,
  type CuratorEffect,
  type CuratorPatience,
  type CuratorStatus,
  type Message,
  type ParticipantEffect,
  type Plan,
} from "../../src/federation/index.js";
import { decodeRecord } from "../../src/federation/protocol/records.js";

export const SESSION = "5".repeat(32);
export const plan = makePlan({
  run: "unit",
  method: "pmtl",
  features: ["x", "y"],
  minimumTasks: 3,
  quorum: 0.6,
  deadline: 10,
  tasks: ["a", "b", "c", "d"].map((name) => ({ name, participant: null })),
  options: { rounds: 3, clip: 1, delta: 1e-3, random: { mode: "seeded", seed: 1 } },
});

/** A curator with somebody to talk to it. */
export class Desk {
  readonly machine: CuratorMachine;
  readonly effects: CuratorEffect[] = [];
  readonly plan: Plan;

  constructor(
    agreed: Plan = plan,
    records: readonly Uint8Array[] = [],
    patience: Partial<CuratorPatience> = {},
  ) {
    this.plan = agreed;
    this.machine = new CuratorMachine({ plan: agreed, session: SESSION, records, patience });
    this.take({ type: "link", state: "up" });
  }

  take(event: Parameters<CuratorMachine["handle"]>[0]): CuratorEffect[] {
    const effects = this.machine.handle(event);
    this.effects.push(...effects);
    return effects;
  }

  /** Says something in a participant's name, with an envelope that may be wrong. */
  say(from: string, body: Body, envelope: Partial<Message> = {}): CuratorEffect[] {
    const { run } = this.plan;
    const own = { run, session: SESSION, plan: planHash(this.plan), participant: from };
    const message = encodeMessage({ ...own, ...envelope }, body);
    return this.take({ type: "message", from, message });
  }

  register(from: string, ...names: string[]): CuratorEffect[] {
    return this.say(from, { type: "register", tasks: names.map((name) => ({ name, rows: 4 })) });
  }

  push(from: string, round: number, positions: number[], values: number[]): CuratorEffect[] {
    return this.say(from, { type: "upload", round, positions, values: Float64Array.from(values) });
  }

  statuses<K extends CuratorStatus["kind"]>(kind: K): Extract<CuratorStatus, { kind: K }>[] {
    return this.effects.flatMap((effect) =>
      effect.type === "status" && effect.status.kind === kind
        ? [effect.status as Extract<CuratorStatus, { kind: K }>]
        : [],
    );
  }

  /** Records kept so far. */
  records(): Uint8Array[] {
    return this.effects.flatMap((effect) => (effect.type === "append" ? [effect.record] : []));
  }

  releases(): number {
    return this.records().filter((record) => decodeRecord(record).type === "release").length;
  }
}

export const said = (effects: readonly (CuratorEffect | ParticipantEffect)[]): Message[] =>
  effects.flatMap((effect) =>
    effect.type === "send" || effect.type === "broadcast"
      ? [decodeMessage(effect.message)]
      : effect.type === "repeat"
        ? [decodeMessage(effect.message())]
        : [],
  );

/** A desk with a and b at north, c at south, d at west, started. */
export function started(agreed: Plan = plan): Desk {
  const desk = new Desk(agreed);
  desk.register("north", "a", "b");
  desk.register("south", "c");
  desk.register("west", "d");
  return desk;
}
