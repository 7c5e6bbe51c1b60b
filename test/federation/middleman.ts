/**
 * A run in memory of which one party hears what somebody in the middle, the curator or a relay, makes of true messages: they are lost,
 * late, doubled, said again later, changed in a field, cut off, put into other names or made of two; and the party is killed in between.
 *
 * The others are honest, so that names of states, sessions, keys and signatures are right wherever a lie leaves them as they are.
 * @module
 */
import { seededUniforms } from "../../src/data/index.js";
import {
  decodeFrame,
  decodeMessage,
  encodeMessage,
  joinRun,
  ManualClock,
  MemoryNetwork,
  MemoryStore,
  planHash,
  runCurator,
  runRelay,
  type Body,
  type Envelope,
  type Message,
  type ParticipantTransport,
  type RunStore,
} from "../../src/federation/index.js";
import { parseMessage } from "../../src/federation/secure-aggregation/attempt/messages.js";
import { sessionId } from "../../src/federation/secure-aggregation/keys/session.js";
import { runHelper } from "../../src/federation/verified-sums/index.js";
import type { FittedModel } from "../../src/learning/index.js";
import type { Parties } from "./killed-parties.js";
import { mutant } from "./mutants.js";
import { settled } from "./runs.js";

/** Who is lied to, and how much. */
export interface Lies {
  /** The party that is lied to, or the relay that lies to others. */
  readonly about: string;
  /** Whether it is what that party says that is changed. */
  readonly speaks?: boolean;
  /** Share of messages that are not as they were. */
  readonly share: number;
  /** Probability at every message to it that it is killed, and started again from its records. */
  readonly kills: number;
  readonly seed: string;
}

/** What the party did. */
export interface Seen {
  /** What must not be: two of a thing of which there is one, or anything that is shown before it is kept. */
  readonly wrong: readonly string[];
  /** Rounds in which it showed or gave anything, in all its processes. */
  readonly rounds: number;
  readonly lies: number;
  readonly lives: number;
  /** What it ended with; undefined if it still waits. */
  readonly end: unknown;
  readonly model: FittedModel | undefined;
  /** Everything that was said to its owner or operator, and in its messages' headers. */
  readonly texts: readonly string[];
  /** What others ended with that is an error. */
  readonly others: Readonly<Record<string, unknown>>;
}

class Killed extends Error {}
export const OVER = new Error("over");

type Scope = "own" | "all";
interface Heard {
  readonly bytes: Uint8Array;
  readonly scope: Scope;
}

const ROUNDS = [1, 2, 3, 4, 7, 1e6, 2 ** 31 - 1];

/** One field of a true message is another one; the envelope's, too. */
function lie(bytes: Uint8Array, past: readonly Uint8Array[], random: () => number): Uint8Array {
  const below = (n: number) => Math.floor(random() * n);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const { run, session, plan, participant, ...body } = decodeMessage(bytes);
  const envelope: Record<string, unknown> = { run, session, plan, participant };
  const own: Record<string, unknown> = { ...body };
  const change = (name: string, ...values: unknown[]) => {
    if (name in own) own[name] = pick(values);
  };
  const numbers = own["values"] as Float64Array | undefined;
  const raw = own["bytes"] as Uint8Array | undefined;
  switch (below(8)) {
    case 0:
      envelope["participant"] = pick(["", "p1", "west", "helper"]);
      break;
    case 1:
      envelope["session"] = pick(["", "6".repeat(32)]);
      break;
    case 2:
      envelope[pick(["plan", "run"])] = pick(["", "a".repeat(64), "other"]);
      break;
    case 3:
      change("round", ...ROUNDS, (own["round"] as number) + 1, Math.max(1, (own["round"] as number) - 1)); // prettier-ignore
      break;
    case 4:
      change("attempt", 1, 2, 3, 9, 2 ** 31 - 1, (own["attempt"] as number) + 1);
      if (numbers) own["values"] = numbers.map((x) => x * pick([0, -1, 1e200, 1 + 1e-9]) + pick([0, 0, 1e-9])); // prettier-ignore
      break;
    case 5: {
      const fields = ["m", "rows", "mostRows", "positions", "drawn", "included", "given", "owners", "state", "straight", "reporter"]; // prettier-ignore
      const name = pick(fields.filter((field) => field in own).concat("straight"));
      change(name, 1, 5, 2 ** 31 - 1, [], [0], [1, 0], [0, 0], true, false, "p0", "p1", "b".repeat(32)); // prettier-ignore
      break;
    }
    case 6: {
      // The inside of another message under this one's name, or an invitation to begin anew.
      const others = past.map((one) => decodeMessage(one)).filter(({ type }) => type === own["type"]); // prettier-ignore
      const other = others.length > 0 ? (pick(others) as unknown as typeof own) : own;
      if (raw) own["bytes"] = random() < 0.3 ? new Uint8Array() : other["bytes"];
      if (numbers) own["values"] = other["values"];
      if (raw && random() < 0.5) own["attempt"] = (own["attempt"] as number) + 1;
      break;
    }
    default: {
      if (!raw || raw.length === 0) return mutant(bytes, random);
      const changed = raw.slice();
      if (random() < 0.3) own["bytes"] = changed.subarray(0, below(changed.length));
      else changed[below(random() < 0.5 ? Math.min(60, raw.length) : raw.length)]! ^= 1 + below(255); // prettier-ignore
      if (own["bytes"] === raw) own["bytes"] = changed;
    }
  }
  return encodeMessage(envelope as unknown as Envelope, own as unknown as Body);
}

/** What is delivered in place of a message, in order. */
function lied(heard: Heard, past: readonly Heard[], late: Heard[], random: () => number): Heard[] {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const old = past.length > 0 ? pick(past) : heard;
  const changed = (of: Heard): Heard => {
    try {
      return { ...of, bytes: lie(of.bytes, past.map(({ bytes }) => bytes), random) }; // prettier-ignore
    } catch {
      return { ...of, bytes: mutant(of.bytes, random) };
    }
  };
  switch (Math.floor(random() * 9)) {
    case 0:
      return [];
    case 1:
      return [heard, heard];
    case 2:
      late.push(heard);
      return [];
    case 3:
      return [heard, old];
    case 4:
      return [old, heard];
    case 5:
      return [{ ...heard, scope: heard.scope === "own" ? "all" : "own" }];
    case 6:
      return [changed(heard), heard];
    case 7:
      return [heard, changed(random() < 0.5 ? heard : old)];
    default:
      return [changed(heard)];
  }
}

/** Notes what a party says and keeps, and what of it must not be. */
class Notes {
  readonly wrong: string[] = [];
  readonly texts: string[] = [];
  readonly #plan: Parties["plan"];
  readonly #seen = new Map<string, Set<string>>();
  readonly #kept = new Set<string>();
  readonly #shown = new Set<number>();

  constructor(plan: Parties["plan"]) {
    this.#plan = plan;
  }

  get rounds(): number {
    return this.#shown.size;
  }

  /** There is one of it. */
  #one(what: string, values: ArrayLike<number> | string): void {
    const text = typeof values === "string" ? values : Array.from(values).join();
    const all = this.#seen.get(what) ?? new Set();
    this.#seen.set(what, all.add(text));
    if (all.size > 1) this.wrong.push(`two of ${what}`);
  }

  kept(record: Uint8Array): void {
    const { header, values, bytes } = decodeFrame(record);
    const { type, round } = header as { type: string; round?: number };
    this.#kept.add(`${type} ${round}`);
    if (type === "shown" || type === "integers") this.#one(`${type} ${round}`, values);
    if (type === "given") this.#one(`${type} ${round}`, bytes);
    if (type === "drawn") {
      if (this.#seen.has(`drawn ${round}`)) this.wrong.push(`noise of round ${round} drawn twice`);
      this.#seen.set(`drawn ${round}`, new Set());
    }
  }

  #mustKeep(what: string): void {
    if (!this.#kept.has(what)) this.wrong.push(`said before ${what} was kept`);
  }

  said(message: Uint8Array): void {
    const said: Message = decodeMessage(message);
    const { values: _, bytes, ...header } = said as Message & { values?: unknown; bytes?: unknown };
    this.texts.push(JSON.stringify(header));
    const { options, aggregation } = this.#plan;
    if (said.type === "upload") {
      this.#shown.add(said.round);
      if (options["curator"] === "untrusted") this.#mustKeep(`shown ${said.round}`);
      if (!options["sampling"] || (options["sampling"] as { kind: string }).kind === "all") {
        this.#one(`upload ${said.round}`, said.values);
      }
    }
    if (said.type === "given") {
      this.#shown.add(said.round);
      this.#mustKeep(`given ${said.round}`);
      this.#one(`share ${said.round}`, said.bytes);
    }
    if (said.type === "aggregate" && aggregation?.kind === "relays") {
      this.#shown.add(said.round);
    }
    if (said.type === "aggregate" && aggregation?.kind === "secure") {
      const { round, attempt, plan, run, session } = said;
      const of = { plan, run: `${run} ${session}`, round, attempt };
      const parsed = parseMessage(bytes as Uint8Array, sessionId(of));
      if (typeof parsed === "string") return;
      if (parsed.kind === "input") {
        this.#shown.add(round);
        this.#mustKeep(`drawn ${round}`);
      }
      if (parsed.kind === "reveal") {
        this.#mustKeep(`opened ${round}`);
        this.#one(`attempt in which shares of round ${round} were shown`, String(attempt));
        this.#one(`shares of round ${round}`, parsed.body);
      }
    }
  }
}

/** Runs a plan in which one party is lied to, for so many steps of the clock. */
export async function runLied(
  { plan, tasks: members, identity, relays = [], keys }: Parties,
  { about, speaks = false, share, kills, seed }: Lies,
  most = 400,
): Promise<Seen> {
  const uniform = seededUniforms(seed);
  const random = () => uniform();
  const clock = new ManualClock();
  const network = new MemoryNetwork(clock, { random, delay: 50 });
  const over = new AbortController();
  const notes = new Notes(plan);
  const ends: Record<string, unknown> = {};
  const past: Heard[] = [];
  let lies = 0;
  let lives = 0;
  let model: FittedModel | undefined;
  let killer = new AbortController();
  const common = { agreed: planHash(plan), run: plan.run, clock };
  const onStatus = (status: unknown) => void notes.texts.push(JSON.stringify(status));
  const wayOf = (name: string): ParticipantTransport => {
    const way = network.participant(name);
    if (name !== about) return way;
    const late: Heard[] = [];
    const told = (heard: Heard): Heard[] => {
      const again = late.splice(0, random() < 0.5 ? late.length : 0);
      const lying = random() < share;
      if (lying) lies++;
      const delivered = lying ? lied(heard, past, late, random) : [heard];
      past.push(heard);
      return [...delivered, ...again];
    };
    return {
      ...way,
      send: async (bytes, relay) => {
        if (!speaks) {
          notes.said(bytes);
          return way.send(bytes, relay);
        }
        for (const one of told({ bytes, scope: "own" })) await way.send(one.bytes, relay);
      },
      listen: (handlers) =>
        way.listen({
          ...handlers,
          message: (bytes, scope) => {
            if (random() < kills) {
              killer.abort(new Killed());
              return;
            }
            if (speaks) return handlers.message(bytes, scope);
            for (const one of told({ bytes, scope })) void handlers.message(one.bytes, one.scope);
          },
        }),
    };
  };
  const store = new MemoryStore();
  const own: RunStore = {
    load: () => store.load(),
    close: () => store.close(),
    append: async (record) => {
      if (random() < kills) killer.abort(new Killed());
      await store.append(record);
      notes.kept(record);
    },
    hold: async (record) => {
      await store.hold(record);
      if (record) notes.kept(record);
      if (random() < kills) killer.abort(new Killed());
    },
  };
  const start = (name: string, begin: (signal: AbortSignal) => Promise<unknown>): void => {
    if (name === about) {
      lives++;
      killer = new AbortController();
    }
    void begin(name === about ? killer.signal : over.signal).then(
      (result) => void (ends[name] = result),
      (error: unknown) => {
        if (error instanceof Killed) clock.after(700, () => start(name, begin));
        else ends[name] = error;
      },
    );
  };
  start("(curator)", (signal) =>
    runCurator({
      plan,
      clock,
      signal,
      store: new MemoryStore(),
      transport: network.curator(),
      ...(keys ? { leaderKey: keys.leader } : {}),
    }),
  );
  for (const [participant, data] of Object.entries(members)) {
    const secret = identity ? { identity: identity(participant) } : {};
    const isIt = participant === about;
    const others = new MemoryStore();
    start(participant, (signal) =>
      joinRun({
        ...common,
        participant,
        data,
        signal,
        ...secret,
        retry: 700,
        store: isIt ? own : others,
        transport: wayOf(participant),
        ...(isIt ? { onStatus, onModel: (made: FittedModel) => void (model = made) } : {}),
      }),
    );
  }
  for (const relay of relays) {
    const told = relay === about ? { onStatus } : {};
    start(relay, (signal) => runRelay({ ...common, relay, signal, transport: wayOf(relay), ...told })); // prettier-ignore
  }
  if (keys) {
    const { name: helper } = (plan.aggregation as { helper: { name: string } }).helper;
    const isIt = helper === about;
    const others = new MemoryStore();
    start(helper, (signal) =>
      runHelper({
        ...common,
        helper,
        key: keys.helper,
        signal,
        transport: wayOf(helper),
        store: isIt ? own : others,
        ...(isIt ? { onStatus } : {}),
      }),
    );
  }
  for (let step = 0; step < most && ends[about] === undefined; step++) {
    await settled(clock);
    if (!clock.step()) break;
  }
  const { [about]: end } = ends;
  over.abort(OVER);
  killer.abort(OVER);
  await settled(clock);
  if (end instanceof Error) notes.texts.push(end.message);
  const others = Object.fromEntries(
    Object.entries(ends).filter(([name, one]) => name !== about && one instanceof Error),
  );
  const { wrong, texts, rounds } = notes;
  return { wrong, texts, rounds, lies, lives, end, model, others };
}
