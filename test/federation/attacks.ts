/**
 * What one participant with valid credentials may try: each attack is carried out when the run begins and after every broadcast.
 * @module
 */
import {
  decodeMessage,
  encodeFrame,
  encodeMessage,
  planHash,
  PROTOCOL_VERSION,
  type Body,
  type Message,
  type Plan,
} from "../../src/federation/index.js";
import type { ParticipantTransport } from "../../src/federation/protocol/machine/transport.js";

/** A participant that answers to nobody. It owns one task, the last of the plan. */
export class Attacker {
  readonly plan: Plan;
  readonly name: string;
  readonly #transport: ParticipantTransport;
  readonly #attack: Attack;
  session = "";
  round = 0;
  sent = 0;
  readonly #seen = new Set<string>();
  #busy = false;

  constructor(plan: Plan, name: string, transport: ParticipantTransport, attack: Attack) {
    this.plan = plan;
    this.name = name;
    this.#transport = transport;
    this.#attack = attack;
    transport.listen({
      message: (bytes) => this.#hear(bytes),
      link: () => undefined,
    });
    void this.say({ type: "hello", speaks: [3] });
  }

  #hear(bytes: Uint8Array): void {
    let message: Message;
    try {
      message = decodeMessage(bytes);
    } catch {
      return;
    }
    this.session = message.session;
    if (message.type === "broadcast") this.round = Math.max(this.round, message.round);
    // Once before the start, once after it, and once a round: without delays an answer to every answer would be without end.
    const occasion = message.type === "start" ? "start" : String(this.round);
    if (this.#seen.has(occasion)) return;
    this.#seen.add(occasion);
    void this.#strike();
  }

  async #strike(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    await this.#attack(this);
    this.#busy = false;
  }

  /** Says something, with an envelope that may be wrong. */
  say(body: Body, envelope: Partial<Message> = {}): Promise<void> {
    const { session, name: participant } = this;
    const own = { run: this.plan.run, session, plan: planHash(this.plan), participant };
    return this.raw(encodeMessage({ ...own, ...envelope }, body));
  }

  raw(bytes: Uint8Array): Promise<void> {
    this.sent++;
    return this.#transport.send(bytes);
  }

  get task(): string {
    return this.plan.tasks!.at(-1)!.name;
  }

  /** Where its task stands when all are there. */
  get position(): number {
    return this.plan.tasks!.length - 1;
  }

  /** Registers as it should. */
  register(): Promise<void> {
    return this.say({ type: "register", tasks: [{ name: this.task, rows: 5 }] });
  }

  /** Uploads a vector for the round that is open. */
  upload(
    value: number,
    {
      round = this.round + 1,
      length = this.plan.features.length,
      positions = [this.position],
    } = {},
  ) {
    const values = new Float64Array(length * positions.length).fill(value);
    return this.say({ type: "upload", round, positions, values });
  }
}

export type Attack = (attacker: Attacker) => Promise<void>;

const times = async (count: number, work: (k: number) => Promise<void>) => {
  for (let k = 0; k < count; k++) await work(k);
};

/** By what is tried. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  "registers 2,147,483,647 rows": (a) =>
    a.say({ type: "register", tasks: [{ name: a.task, rows: 2 ** 31 - 1 }] }),
  "registers everybody's tasks": (a) =>
    a.say({ type: "register", tasks: a.plan.tasks!.map(({ name }) => ({ name, rows: 5 })) }),
  "registers ten thousand tasks": (a) =>
    a.say({
      type: "register",
      tasks: Array.from({ length: 10_000 }, (_, k) => ({ name: `t${k}`, rows: 1 })),
    }),
  "registers a name of a megabyte": (a) =>
    a.say({ type: "register", tasks: [{ name: "\u001b[2J".repeat(250_000), rows: 1 }] }),
  "registers, leaves and registers again, without end": (a) =>
    times(20, async () => {
      await a.register();
      await a.say({ type: "leave" });
    }),
  "registers and is silent": (a) => (a.round === 0 ? a.register() : Promise.resolve()),
  "never registers, and uploads": (a) => a.upload(0.1),
  "uploads NaN and infinities": async (a) => {
    await a.register();
    await a.upload(NaN);
    await a.upload(-Infinity);
  },
  "uploads vectors of 1e300": async (a) => {
    await a.register();
    await a.upload(1e300);
  },
  "uploads vectors of other lengths": async (a) => {
    await a.register();
    await a.upload(0.1, { length: 0 });
    await a.upload(0.1, { length: 1_000 });
  },
  "uploads for the tasks of others": async (a) => {
    await a.register();
    await times(a.position, (position) => a.upload(1, { positions: [position] }));
    await a.upload(1, { positions: [a.position, a.position, 2 ** 31, 0.5] });
  },
  "uploads for rounds that are over, or far ahead": async (a) => {
    await a.register();
    for (const round of [0, 1, a.round, a.round + 2, 1e9]) await a.upload(1, { round });
  },
  "uploads twice, and then again": async (a) => {
    await a.register();
    await times(5, (k) => a.upload(k));
  },
  "asks 1,500 times for what was, and reads nothing": (a) =>
    times(1500, (k) => a.say({ type: "pull", round: 1 + (k % (a.round + 1)) })),
  "says that it heard rounds that never were": async (a) => {
    await a.register();
    for (const round of [a.round + 5, 1e6, 2 ** 53]) await a.say({ type: "pull", round });
  },
  "speaks in others' names, sessions, runs and plans": (a) =>
    times(a.plan.tasks!.length, async (k) => {
      const participant = a.plan.tasks![k]!.participant ?? "north";
      await a.say({ type: "leave" }, { participant });
      await a.say(
        {
          type: "upload",
          round: a.round + 1,
          positions: [k],
          values: new Float64Array(a.plan.features.length),
        },
        { participant },
      );
      await a.say({ type: "finish" }, { session: "0".repeat(32) });
      await a.say(
        { type: "register", tasks: [{ name: a.task, rows: 5 }] },
        { plan: "0".repeat(64) },
      );
      await a.say({ type: "leave" }, { run: "other" });
    }),
  "sends garbage": (a) =>
    times(50, (k) => a.raw(Uint8Array.from({ length: k * 7 }, (_, i) => (i * 31 + k * 17) % 256))),
  "sends frames cut off, and frames that promise gigabytes": async (a) => {
    const frame = encodeFrame(
      { v: PROTOCOL_VERSION, type: "upload", run: a.plan.run },
      new Float64Array(6),
    );
    for (const length of [1, 4, 8, 20, frame.length - 1]) await a.raw(frame.slice(0, length));
    const promising = frame.slice();
    promising.fill(255, 0, 12);
    await a.raw(promising);
    const text = JSON.stringify({
      v: PROTOCOL_VERSION,
      type: "upload",
      layout: { count: 2 ** 40 },
    });
    await a.raw(new TextEncoder().encode(text));
  },
  "says what only a curator says": async (a) => {
    await a.say({ type: "broadcast", round: a.round + 1, values: new Float64Array(36) });
    await a.say({ type: "refused", reason: "expelled" });
    await a.say({ type: "done" });
    await a.say({ type: "here" });
  },
  "finishes before the end, for itself and for others": async (a) => {
    await a.register();
    await a.say({ type: "finish" });
    for (const { participant } of a.plan.tasks!) {
      await a.say({ type: "finish" }, { participant: participant ?? "north" });
    }
  },
  "speaks other versions of the protocol": (a) =>
    times(10, (version) =>
      a.raw(
        encodeFrame({ v: version * 1000, type: "hello", run: a.plan.run, participant: a.name }),
      ),
    ),
  "sends a thousand small messages a round": (a) =>
    times(1000, (k) => a.raw(new Uint8Array(10).fill(k))),
};
