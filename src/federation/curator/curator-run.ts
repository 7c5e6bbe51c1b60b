/**
 * A started run on the curator's side: which round is open, who was called, what was published.
 * @module
 */
import type { PublicSizes } from "../../learning/round/halves.js";
import type { CuratorResult } from "./curator-events.js";
import { CuratorRounds } from "./curator-rounds.js";
import type { CuratorVoice } from "./curator-voice.js";
import type { Drawn, Message, Statement } from "../protocol/messages.js";
import { planHash, type Plan } from "../protocol/plan.js";
import type { CuratorRecord } from "../protocol/records.js";
import type { Registry } from "./registry.js";
import { SecureCollection } from "../secure-aggregation/collection.js";
import { shareOptionsOf, type PlannedAggregation } from "../secure-aggregation/planned.js";
import { aggregationTerms } from "../secure-aggregation/terms.js";

/** What a run needs. */
export interface CuratorRunOptions {
  readonly plan: Plan;
  readonly registry: Registry;
  readonly voice: CuratorVoice;
  /** Milliseconds between reminders. */
  readonly remind: number;
  /** What earlier lives of the curator kept. */
  readonly records: readonly CuratorRecord[];
  /** Name of the session. */
  readonly session: string;
}

/** What was published of a round. */
interface Published {
  readonly values: Float64Array;
  /** With the last. */
  readonly statement?: Statement;
}

/** Opens and closes rounds; knows nothing of registering or parting. */
export class CuratorRun {
  readonly #options: CuratorRunOptions;
  readonly #voice: CuratorVoice;
  readonly #registry: Registry;
  readonly #sizes: PublicSizes;
  readonly #rounds: CuratorRounds;
  /** For those that miss them: they stay in memory, rounds times the length of a message. */
  readonly #published: Published[] = [];
  readonly #samples = new Map<number, ReadonlySet<number>>();
  /** Where the curator sees sums only. */
  readonly #sums: SecureCollection | undefined;
  #link: "up" | "down";
  #clipped = 0;
  #overdue = false;
  #over = false;

  /** @throws RangeError or BudgetExceededError if the budget allows no noise. */
  constructor(options: CuratorRunOptions, link: "up" | "down") {
    const { plan, registry, voice, records } = options;
    this.#options = options;
    this.#voice = voice;
    this.#registry = registry;
    this.#link = link;
    this.#sizes = registry.sizes();
    this.#rounds = new CuratorRounds(plan, this.#sizes, records);
    for (const record of records) {
      if (record.type === "sample") this.#samples.set(record.round, new Set(record.positions));
    }
    if (plan.aggregation) this.#sums = this.#collection(plan.aggregation);
    // Rounds that were released are gone through again from what was kept: same messages, no noise.
    while (this.#rounds.round < this.#rounds.released) {
      this.#rounds.open(this.#samples.get(this.#rounds.round + 1));
      this.#remember(this.#rounds.close().message);
    }
  }

  #collection(planned: PlannedAggregation): SecureCollection {
    const { plan, registry, voice, records, session } = this.#options;
    const terms = aggregationTerms(this.#rounds.releases, shareOptionsOf(planned));
    return new SecureCollection({
      planned,
      plan: planHash(plan),
      run: `${plan.run} ${session}`,
      terms,
      voice,
      members: registry.members().map(({ participant }) => participant),
      records,
    });
  }

  /** Whether the last round was published. */
  get over(): boolean {
    return this.#over;
  }

  /** The round that is open, or the last. */
  get round(): number {
    return this.#rounds.round;
  }

  /** What the run came to. */
  result(finished: Iterable<string>): CuratorResult {
    const { ledger, history } = this.#rounds;
    return { guarantee: this.#rounds.guarantee(), ledger, history, finished: [...finished].sort() };
  }

  /** Wipes keys from memory. */
  dispose(): void {
    this.#rounds.dispose();
  }

  /** Opens the next round; after the last the run is over. */
  next(): void {
    const rounds = this.#rounds;
    if (rounds.round === rounds.rounds) {
      this.#over = true;
      this.#voice.cancel("deadline", "remind");
      return;
    }
    const round = rounds.round + 1;
    const kept = this.#samples.get(round);
    rounds.open(kept);
    this.#clipped = 0;
    this.#overdue = false;
    const positions = rounds.expected();
    if (rounds.sampled && !kept) {
      this.#samples.set(round, new Set(positions));
      this.#voice.keep({ type: "sample", round, tasks: rounds.tasks, positions });
    }
    const expected = positions.length;
    this.#voice.status({ kind: "round", round, rounds: rounds.rounds, expected });
    this.#arm();
    if (rounds.sampled) this.callMissing();
    this.#sums?.open(round);
  }

  /** Takes vectors of the open round; those of another one are late, or forged, and change nothing. */
  push(from: string, { round, positions, values }: Extract<Message, { type: "push" }>): void {
    const rounds = this.#rounds;
    if (this.#over || round !== rounds.round || this.#sums) return;
    const own = this.#registry.positionsOf(from);
    const refused = (why: string) =>
      this.#voice.status({ kind: "refused", participant: from, why });
    if (!own || positions.length === 0 || !positions.every((at) => own.includes(at))) {
      refused("pushed for tasks it does not own");
      return;
    }
    const width = values.length / positions.length;
    if (!Number.isInteger(width)) {
      refused("pushed vectors of unequal lengths");
      return;
    }
    for (const [k, position] of positions.entries()) {
      const reception = rounds.put(position, values.subarray(k * width, (k + 1) * width));
      if (reception === "clipped") this.#clipped++;
      if (reception === "wrong-length") refused("pushed vectors of a wrong length");
    }
    this.#closeIfDone();
  }

  /** Takes a message of an attempt at the open round's secure sum. */
  aggregate(
    from: string,
    { round, attempt, bytes }: Extract<Message, { type: "aggregate" }>,
  ): void {
    if (this.#over || this.#link === "down") return;
    const phase = this.#sums?.phase;
    this.#sums?.receive(from, round, attempt, bytes);
    this.#advance(phase);
  }

  /** Publishes a sum that was opened; a new phase has its own deadline. */
  #advance(before: string | undefined): void {
    if (!this.#sums) return;
    if (this.#sums.collected) {
      this.#close();
      this.next();
    } else if (this.#sums.phase !== before) this.#arm();
  }

  /** Gives a participant what it lacks: a past message, or the call of the open round. */
  pull(from: string, round: number): void {
    if (!this.#registry.positionsOf(from)) return;
    if (round <= this.#published.length) this.tellMessage(from, round);
    else if (round === this.#rounds.round) this.call(from);
  }

  /** The link came up or went down: while it is down no round closes and no deadline runs. */
  linkTurned(state: "up" | "down"): void {
    this.#link = state;
    if (state === "down") {
      this.#voice.cancel("deadline", "remind");
      return;
    }
    if (this.#published.length > 0) this.#publish(this.#published.length);
    if (this.#over) return;
    this.#overdue = false;
    this.#arm();
    this.callMissing();
    this.#closeIfDone();
  }

  /** The deadline has passed: closes with the quorum, else waits for it. */
  deadline(): void {
    if (this.#over || this.#link === "down") return;
    if (this.#sums) {
      this.#sums.deadline();
      // Whatever came of it, there is another deadline: no round is given up.
      if (this.#sums.collected) this.#advance(undefined);
      else this.#arm();
      return;
    }
    this.#overdue = true;
    const { round } = this.#rounds;
    this.#closeIfDone();
    if (this.#over || this.#rounds.round !== round) return;
    const { answered: present } = this.#rounds;
    const missing = this.#owners(this.#rounds.missing());
    this.#voice.status({ kind: "paused", round, present, needed: this.#needed(), missing });
  }

  /** Calls everyone who has not answered, drawn or not. */
  callMissing(): void {
    if (this.#over) return;
    if (this.#sums) this.#sums.remind();
    else for (const owner of this.#owners(this.#rounds.missing())) this.call(owner);
  }

  /** Calls a participant, if any of its tasks is missing in the open round. */
  call(participant: string): void {
    const rounds = this.#rounds;
    const own = this.#registry.positionsOf(participant)!;
    if (this.#sums && !this.#over) {
      this.#sums.remind(participant);
      return;
    }
    if (this.#over || !own.some((at) => rounds.isMissing(at))) return;
    const { round } = rounds;
    const positions = ascending(own);
    this.#voice.tell(participant, { type: "call", round, positions, ...this.#drawn(own, round) });
  }

  /** Which of a participant's tasks were drawn, where not all are. */
  #drawn(own: readonly number[], round: number): { drawn?: Drawn } {
    const sample = this.#samples.get(round);
    return sample ? { drawn: ascending(own).map((at) => (sample.has(at) ? 1 : 0)) } : {};
  }

  /** Tells one participant that the run has begun. */
  tellStart(participant: string): void {
    const { m, rows, mostRows } = this.#sizes;
    const { start, round } = this.#rounds;
    this.#voice.tell(participant, {
      type: "start",
      m,
      rows,
      mostRows,
      round: Math.max(1, round),
      positions: this.#registry.positionsOf(participant)!,
      given: start !== null,
      values: start ?? new Float64Array(0),
    });
  }

  /** A past message for one participant, default the last, and which of its tasks had been drawn. */
  tellMessage(participant: string, round = this.#published.length): void {
    const own = this.#registry.positionsOf(participant)!;
    const published = this.#published[round - 1]!;
    const drawn = this.#drawn(own, round);
    this.#voice.tell(participant, { type: "message", round, ...drawn, ...published });
  }

  #owners(positions: readonly number[]): string[] {
    return [...new Set(positions.map((at) => this.#registry.ownerOf(at)))];
  }

  #arm(): void {
    if (this.#link === "down") return;
    const { plan, remind } = this.#options;
    this.#voice.timers({ deadline: 1000 * plan.deadline, remind });
  }

  /** Tasks that must have answered before the round may close at its deadline. */
  #needed(): number {
    return Math.ceil(this.#options.plan.quorum * this.#rounds.tasks);
  }

  #closeIfDone(): void {
    const { answered, tasks } = this.#rounds;
    if (this.#sums) return;
    if (this.#link === "down") return;
    if (answered < tasks && !(this.#overdue && answered >= this.#needed())) return;
    this.#close();
    this.next();
  }

  /** Charges, draws, keeps, and only then publishes. */
  #close(): void {
    const { round, expectedCount: expected } = this.#rounds;
    const sum = this.#sums?.collected;
    const present = sum
      ? sum.included.reduce((tasks, name) => tasks + this.#registry.positionsOf(name)!.length, 0)
      : this.#rounds.present;
    const { message, release } = this.#rounds.close(sum?.statistic);
    if (release) this.#voice.keep(release);
    this.#remember(message);
    this.#voice.status({ kind: "closed", round, expected, present, clipped: this.#clipped });
    this.#publish(round);
  }

  #remember(values: Float64Array): void {
    const rounds = this.#rounds;
    const last = rounds.round === rounds.rounds;
    const statement = () => ({ guarantee: rounds.guarantee(), ledger: rounds.ledger.toJSON() });
    this.#published.push({ values, ...(last ? { statement: statement() } : {}) });
  }

  #publish(round: number): void {
    this.#voice.announce({ type: "message", round, ...this.#published[round - 1]! });
  }
}

const ascending = (positions: readonly number[]) => [...positions].sort((a, b) => a - b);
