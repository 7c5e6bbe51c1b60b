/**
 * The secure form of a round's sum on the curator's side: attempts at it until one is opened.
 * @module
 */
import { AttemptNumbers } from "../../curator/rounds/attempt-numbers.js";
import type { CuratorOutput } from "../../curator/events/curator-output.js";
import type { Registry } from "../../curator/members/registry.js";
import type {
  Collected,
  RoundCollection,
  UploadMessage,
} from "../../curator/rounds/round-collection.js";
import type { CuratorRecord } from "../../protocol/records.js";
import { AggregationCurator, type CuratorEffect } from "../attempt/curator.js";
import { unpackStatistic } from "../integers/fixed-point.js";
import { identitiesOf, shareOptionsOf, type PlannedAggregation } from "../plan/planned.js";
import { Reminders } from "./reminders.js";
import { neighbourhoodOf } from "../attempt/ring.js";
import { sessionId } from "../keys/session.js";
import { createSetting, type Setting } from "../attempt/setting.js";
import { relayGroups, type RelayGroup } from "../../relays/plan/groups.js";
import { termsDigest, type RoundTerms } from "../plan/terms.js";

/** What a collection is made of. */
export interface CollectionOptions {
  readonly planned: PlannedAggregation;
  /** Hash of the plan, and run and session, which name every attempt. */
  readonly plan: string;
  readonly run: string;
  /** What is summed in each round: entry t - 1 is of round t. */
  readonly terms: readonly RoundTerms[];
  readonly output: CuratorOutput;
  readonly registry: Registry;
  /** What earlier processes of the curator kept. */
  readonly records: readonly CuratorRecord[];
}

/** Sums of masked integers: the curator sees no vector. */
export class SecureCollection implements RoundCollection {
  readonly #options: CollectionOptions;
  readonly #names: readonly string[];
  readonly #number: ReadonlyMap<string, number>;
  readonly #identities: readonly Uint8Array[];
  readonly #attempts: AttemptNumbers;
  readonly #relays: readonly RelayGroup[];
  readonly #relayNumber: ReadonlyMap<string, number>;
  /** Relays that gave no sum, by number: until they are back those beneath them send straight. */
  readonly #silentRelays = new Set<number>();
  /** Relays whose sums lacked somebody in an attempt at this round that failed: the next ones do without, or one could stop the run. */
  readonly #shortRelays = new Set<number>();
  /** Found dealing wrong shares. */
  readonly #culprits = new Set<number>();
  readonly #reminders = new Reminders(() => this.#attempt?.missing.length ?? 0);
  #round = 0;
  #attempt: AggregationCurator | undefined;
  #collected: Collected | undefined;

  constructor(options: CollectionOptions) {
    const { planned, records } = options;
    this.#options = options;
    this.#names = planned.participants.map(({ name }) => name);
    this.#number = new Map(this.#names.map((name, i) => [name, i]));
    this.#identities = identitiesOf(planned);
    this.#relays = relayGroups(planned);
    this.#relayNumber = new Map(this.#relays.map(({ name }, i) => [name, i]));
    this.#attempts = new AttemptNumbers(records, options.output);
  }

  get phase(): string {
    return `${this.#attempts.last(this.#round)} ${this.#attempt?.phase ?? ""}`;
  }

  /** Always empty: the phases of an attempt leave out who is silent. */
  readonly silent: ReadonlyMap<string, number> = new Map();

  answered(): void {
    // Nobody is left behind but by the phases of an attempt.
  }

  settle(): void {
    // An attempt settles its own phases.
  }

  get collected(): Collected | undefined {
    return this.#collected;
  }

  open(round: number): void {
    this.#round = round;
    this.#collected = undefined;
    this.#shortRelays.clear();
    const { records } = this.#options;
    const kept = records.find((record) => record.type === "opening" && record.round === round);
    if (kept?.type !== "opening") {
      this.#try();
      return;
    }
    // What was to be opened is never tried again: its participants have given their shares.
    const setting = this.#setting(kept.attempt);
    this.#attempt = new AggregationCurator({ setting, snapshot: kept.bytes });
    this.#remind();
  }

  receive(from: string, message: UploadMessage): void {
    if (message.type !== "aggregate") return;
    const { round, attempt, bytes } = message;
    if (round !== this.#round || attempt !== this.#attempts.last(round)) return;
    if (!this.#attempt || this.#collected) return;
    const [index, relay] = [this.#number.get(from), this.#relayNumber.get(from)];
    if (index !== undefined) this.#perform(this.#attempt.receive(index, bytes));
    else if (relay !== undefined) this.#perform(this.#attempt.receiveFromRelay(relay, bytes));
  }

  /** Closes the phase. Whatever comes of it, there is another deadline: no round is given up. */
  deadline(): boolean {
    if (this.#attempt && !this.#collected) this.#perform(this.#attempt.deadline());
    return true;
  }

  resume(): void {
    this.#remind();
  }

  remind(only?: string): void {
    const attempt = this.#attempt;
    if (!attempt || this.#collected) return;
    if (only === undefined) {
      if (this.#reminders.areDue()) this.#remind();
      return;
    }
    const relay = this.#relayNumber.get(only);
    if (relay === undefined) {
      this.#remind(this.#number.get(only) ?? -1);
      return;
    }
    this.#silentRelays.delete(relay);
    this.#perform(attempt.relayBack(relay));
  }

  /** Tells those again who have not answered, or one of them. */
  #remind(to?: number): void {
    const attempt = this.#attempt;
    if (!attempt || this.#collected) return;
    const asked = (index: number) => to === undefined || index === to;
    if (attempt.phase === "keys")
      for (const index of attempt.missing.filter(asked)) this.#say(index);
    this.#perform(attempt.remind(to));
  }

  /** A fresh attempt, under a number never used before. */
  #try(): void {
    const { registry } = this.#options;
    const attempt = this.#attempts.next(this.#round);
    const isThere = (name: string) => registry.positionsOf(name) && !registry.isExpelled(name);
    const absent = this.#names.flatMap((name, i) => (isThere(name) ? [] : [i]));
    const excluded = [...absent, ...this.#culprits];
    this.#attempt = new AggregationCurator({
      setting: this.#setting(attempt),
      excluded,
      relays: this.#relays,
      straight: new Set([...this.#silentRelays, ...this.#shortRelays]),
    });
    this.#reminders.begin(this.phase);
    for (const index of this.#attempt.missing) this.#say(index);
  }

  #setting(attempt: number): Setting {
    const { planned, plan, run, terms } = this.#options;
    const { parties } = shareOptionsOf(planned);
    const round = terms[this.#round - 1]!;
    const session = sessionId({ plan, run, round: this.#round, attempt });
    return createSetting({
      parties,
      identities: this.#identities,
      neighbourhood: neighbourhoodOf(parties, session),
      session,
      numbers: termsDigest(round),
      entries: round.grid.entries,
      bits: round.bits,
    });
  }

  /** A message of the attempt; without one, the invitation to it. */
  #say(to: number, bytes: Uint8Array = new Uint8Array(), straight?: true): void {
    const message = { ...this.#message(bytes), ...(straight ? { straight } : {}) };
    this.#options.output.tell(this.#names[to]!, message);
  }

  #message(bytes: Uint8Array) {
    const round = this.#round;
    return { type: "aggregate", round, attempt: this.#attempts.last(round), bytes } as const;
  }

  #perform(effects: readonly CuratorEffect[]): void {
    const { output } = this.#options;
    const round = this.#round;
    const attempt = this.#attempts.last(round);
    const namesOf = (indices: readonly number[]) => indices.map((index) => this.#names[index]!);
    for (const effect of effects) {
      switch (effect.kind) {
        case "send":
          this.#say(effect.to, effect.message as Uint8Array<ArrayBuffer>, effect.straight);
          break;
        case "announce":
          // To the whole run: who has no part in the attempt does not heed it.
          output.broadcast(this.#message(effect.message));
          break;
        case "gather":
          output.tell(this.#relays[effect.relay]!.name, {
            ...this.#message(effect.message),
            ...(effect.straight ? { straight: true } : {}),
          });
          break;
        case "relay-refused": {
          const { relay, reason: why } = effect;
          output.status({ kind: "refused", participant: this.#relays[relay]!.name, why });
          break;
        }
        case "without-relay": {
          const { relay, reason: why } = effect;
          this.#silentRelays.add(relay);
          output.status({ kind: "without-relay", round, relay: this.#relays[relay]!.name, why });
          break;
        }
        case "refused":
          output.status({
            kind: "refused",
            participant: this.#names[effect.from]!,
            why: effect.reason,
          });
          break;
        case "opening":
          output.keep({ type: "opening", round, attempt, bytes: effect.snapshot });
          break;
        case "waiting": {
          const [missing, culprits] = [namesOf(effect.missing), namesOf(effect.culprits)];
          output.status({ kind: "awaiting-shares", round, missing, culprits });
          break;
        }
        case "failed":
          for (const culprit of effect.culprits) this.#culprits.add(culprit);
          for (const relay of this.#attempt!.shortRelays) this.#shortRelays.add(relay);
          output.status({
            kind: "attempt-failed",
            round,
            attempt,
            why: effect.reason,
            culprits: namesOf(effect.culprits),
          });
          this.#try();
          break;
        case "sum":
          this.#collect(effect.values, namesOf(effect.included));
          break;
      }
    }
    this.#reminders.begin(this.phase);
  }

  #collect(values: Float64Array, included: readonly string[]): void {
    const { grid } = this.#options.terms[this.#round - 1]!;
    const { statistic, dimension, side, step } = grid;
    const whole = new Float64Array(side === 0 ? dimension : side * side);
    unpackStatistic(statistic, values, dimension, step, whole);
    const { registry } = this.#options;
    const present = included.reduce((sum, name) => sum + registry.positionsOf(name)!.length, 0);
    this.#collected = { statistic: whole, present, clipped: 0 };
    this.#attempt = undefined;
  }
}
