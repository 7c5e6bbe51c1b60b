/**
 * A started run on the curator's side: which round is open, who was called, what was published.
 * @module
 */
import { DataError } from "../../core/index.js";
import type { Ledger } from "../../privacy/index.js";
import type { PublicSizes } from "../../learning/round/halves.js";
import type { BroadcastArchive } from "./rounds/broadcasts.js";
import type { CuratorResult } from "./events/curator-events.js";
import type { CuratorPatience } from "./patience.js";
import { CuratorRounds } from "./rounds/curator-rounds.js";
import type { CuratorOutput } from "./events/curator-output.js";
import type { CuratorRecord } from "../protocol/records.js";
import { openCollection } from "./rounds/open-collection.js";
import { Published } from "./rounds/published.js";
import type { Registry } from "./members/registry.js";
import { stateField } from "../protocol/party/state-name.js";
import { isThirdParty, thirdParties } from "./members/third-parties.js";
import type { Collected, RoundCollection, UploadMessage } from "./rounds/round-collection.js";
import { Samples } from "./rounds/samples.js";
import type { RandomBytes } from "../secure-aggregation/keys/random-bytes.js";
import type { Plan } from "../protocol/plan/plan-form.js";

/** What a run needs. */
export interface CuratorRunOptions {
  readonly plan: Plan;
  readonly registry: Registry;
  readonly output: CuratorOutput;
  readonly patience: CuratorPatience;
  /** Has a participant expelled that let so many deadlines pass. */
  readonly expel: (participant: string, deadlines: number) => void;
  /** Name of the session. */
  readonly session: string;
  /** For the key under which samples are kept. */
  readonly random: RandomBytes;
  /** X25519 secret of the leader, where the plan has two aggregators. */
  readonly leaderKey: Uint8Array | undefined;
  /** Past broadcasts, for those that miss them. */
  readonly broadcasts: BroadcastArchive;
}

/** Opens and closes rounds; knows nothing of registering or the end, nor of how a round's sum is collected. */
export class CuratorRun {
  readonly #options: CuratorRunOptions;
  readonly #output: CuratorOutput;
  readonly #registry: Registry;
  readonly #sizes: PublicSizes;
  readonly #rounds: CuratorRounds;
  readonly #published: Published;
  readonly #samples: Samples;
  readonly #collection: RoundCollection;
  #link: "up" | "down";
  #over = false;
  /** Whether the deadline of what is awaited has begun. */
  #timed = false;
  /** Helper and relays that said anything to this process: whoever was never there is not awaited at the end. */
  readonly #parties = new Set<string>();
  /** Participants that received more than there is. */
  readonly #ahead = new Set<string>();

  /**
   * @param records what earlier processes of the curator kept; nothing holds them afterwards.
   * @throws RangeError or BudgetExceededError if the budget allows no noise; OptionError as `openCollection` does.
   */
  constructor(options: CuratorRunOptions, records: readonly CuratorRecord[], link: "up" | "down") {
    const { plan, registry, output, random, broadcasts } = options;
    this.#options = options;
    this.#output = output;
    this.#registry = registry;
    this.#link = link;
    this.#sizes = registry.sizes();
    const rounds = (this.#rounds = new CuratorRounds(plan, this.#sizes, records));
    const samples = (this.#samples = new Samples(registry, output, records, random));
    this.#published = new Published(rounds, samples, broadcasts, output);
    this.#collection = openCollection({
      plan,
      registry,
      output,
      records,
      rounds,
      samples,
      sizes: this.#sizes,
      session: options.session,
      leaderKey: options.leaderKey,
    });
    // Rounds that were released are gone through again from what was kept: same broadcasts, no noise.
    while (rounds.round < rounds.released) {
      rounds.open(samples.of(rounds.round + 1));
      this.#published.add(rounds.close().broadcast);
    }
    if (samples.lost && rounds.round < rounds.rounds) {
      throw new DataError(
        "run store: the key of its samples is missing, so nobody can be called again for the rounds that were drawn; " +
          "restore it as it was last, or start anew with a budget of its own",
      );
    }
  }

  /** Whether everyone had its models, and what brings participants up to date was wiped. */
  get wiped(): boolean {
    return this.#samples.lost;
  }

  /** Every participant has its models: nobody will ask who was drawn. */
  wipe(): void {
    this.#samples.wipe();
  }

  /** Whether the last round was published. */
  get over(): boolean {
    return this.#over;
  }

  /** The round that is open, or the last. */
  get round(): number {
    return this.#rounds.round;
  }

  /** How many there will be. */
  get rounds(): number {
    return this.#rounds.rounds;
  }

  /** What was charged so far. */
  get ledger(): Ledger {
    return this.#rounds.ledger;
  }

  /** What the run came to. */
  result(finished: Iterable<string>, unheard: Iterable<string>): CuratorResult {
    const { ledger, history } = this.#rounds;
    const who = { finished: [...finished].sort(), unheard: [...unheard].sort() };
    return { guarantee: this.#rounds.guarantee(), ledger, history, ...who };
  }

  /** Wipes keys from memory. */
  dispose(): void {
    this.#samples.dispose();
    this.#rounds.dispose();
  }

  /** Opens the next round; after the last the run is over. */
  next(): void {
    const rounds = this.#rounds;
    if (rounds.round === rounds.rounds) {
      this.#over = true;
      this.#output.cancel("deadline", "remind");
      this.#dismiss();
      return;
    }
    const round = rounds.round + 1;
    const kept = this.#samples.of(round);
    rounds.open(kept);
    if (rounds.sampled && !kept) this.#samples.keep(round, rounds.expected());
    const expected = rounds.tasks;
    this.#output.status({ kind: "round", round, rounds: rounds.rounds, expected });
    this.#arm();
    this.#collection.open(round);
  }

  /** Takes what a participant sends towards the open round's sum. */
  upload(from: string, message: UploadMessage): void {
    if (this.isParty(from)) this.#parties.add(from);
    if (this.#over) return;
    const { phase } = this.#collection;
    this.#collection.answered(from);
    this.#collection.receive(from, message);
    this.#advance(phase);
  }

  /** Somebody was expelled: perhaps nobody else is waited for. */
  expelled(): void {
    if (!this.#over) this.#advance(this.#collection.phase);
  }

  /** Closes the round if its sum is there; while the link is down no round closes. */
  #advance(before: string): void {
    if (this.#link === "down") return;
    this.#collection.settle();
    const { collected, phase } = this.#collection;
    if (collected) {
      this.#close(collected);
      this.next();
    } else if (phase !== before) this.#arm();
  }

  /** Gives a participant what it lacks: a past broadcast, or the call of the open round. */
  pull(from: string, round: number): void {
    if (!this.#registry.positionsOf(from)) return;
    this.#collection.answered(from);
    if (round <= this.#published.last) this.#published.sendTo(from, round);
    else if (round === this.#rounds.round) this.call(from);
    else this.#endsBefore(from, round - 1);
  }

  /**
   * A participant has received a round that this curator has not released: an older copy of its state was put back, and
   * what it would draw now would be a second noise. Half of the participants are believed: of three or more, one alone cannot stop a run.
   */
  #endsBefore(from: string, received: number): void {
    if (this.#over || received > this.#rounds.rounds || this.#ahead.has(from)) return;
    this.#ahead.add(from);
    const why = `it has received round ${received}, which this curator has not released`;
    this.#output.status({ kind: "refused", participant: from, why });
    if (2 * this.#ahead.size < this.#registry.members().length) return;
    throw new DataError(
      `run store: ${[...this.#ahead].join(", ")} received round ${received}, but the store ends before it: it is an older ` +
        `copy. Nothing is drawn again; restore the store as it was last, or start another run with a budget of its own`,
    );
  }

  /** The link came up or went down: while it is down no round closes and no deadline runs. What is left of one runs on. */
  linkTurned(state: "up" | "down"): void {
    this.#link = state;
    if (this.#timed) this.#output.linkTurned(state, "deadline");
    if (state === "down") {
      this.#output.cancel("remind");
      return;
    }
    if (this.#published.last > 0) this.#output.broadcast(this.#published.message());
    if (this.#over) return;
    if (this.#timed) this.#output.timers({ remind: this.#options.patience.remind });
    else this.#arm();
    this.#collection.resume();
    this.#advance(this.#collection.phase);
  }

  /** The deadline has passed. */
  deadline(): void {
    if (this.#over || this.#link === "down") return;
    const { round } = this.#rounds;
    const again = this.#collection.deadline();
    const { expelAfter } = this.#options.patience;
    for (const [participant, deadlines] of this.#collection.silent) {
      if (deadlines >= expelAfter) this.#options.expel(participant, deadlines);
    }
    this.#advance(this.#collection.phase);
    if (again && !this.#over && this.#rounds.round === round) this.#arm();
  }

  /** Calls everyone who has not answered, drawn or not. */
  callMissing(): void {
    if (this.#over) return;
    this.#output.confirm();
    this.#collection.remind();
  }

  /** Calls a participant, if it has not answered in the open round. */
  call(participant: string): void {
    if (!this.#over) this.#collection.remind(participant);
  }

  /** A helper or relay is there again: what it is to do, or that nothing is left. */
  partyBack(name: string): void {
    this.#parties.add(name);
    if (this.#over) this.#output.tell(name, { type: "done" });
    else this.#collection.remind(name);
  }

  /** Helper and relays that are there. */
  get parties(): Iterable<string> {
    return this.#parties;
  }

  /** Whether that is the name of a helper or relay. */
  isParty(name: string): boolean {
    return isThirdParty(this.#options.plan, name);
  }

  /** Tells helper and relays that nothing is left to do. */
  #dismiss(): void {
    for (const name of thirdParties(this.#options.plan)) this.#output.tell(name, { type: "done" });
  }

  /** Tells one participant that the run has begun. */
  tellStart(participant: string): void {
    const { m, rows, mostRows, owners } = this.#sizes;
    const { start, round } = this.#rounds;
    this.#output.tell(participant, {
      type: "start",
      m,
      rows,
      mostRows,
      ...stateField(this.#registry.states.of(participant)),
      ...(owners ? { owners } : {}),
      // After the last round no participant is awaited in it any more.
      round: this.#over ? round + 1 : Math.max(1, round),
      positions: this.#registry.positionsOf(participant)!,
      releases: this.#rounds.digest,
      given: start !== null,
      values: start ?? new Float64Array(0),
    });
  }

  /** The last broadcast for one participant. */
  sendBroadcast(participant: string): void {
    this.#published.sendTo(participant);
  }

  #arm(): void {
    if (this.#link === "down") return;
    this.#timed = true;
    const { plan, patience } = this.#options;
    this.#output.timers({ deadline: 1000 * plan.deadline, remind: patience.remind });
  }

  /** Charges, draws, keeps, and only then publishes. */
  #close({ statistic, present, clipped }: Collected): void {
    const { round, tasks: expected } = this.#rounds;
    const { broadcast, release } = this.#rounds.close(statistic);
    if (release) this.#output.keep(release);
    this.#published.add(broadcast);
    const silent = [...this.#collection.silent.keys()].filter(
      (name) => !this.#registry.isExpelled(name),
    );
    const told = silent.length > 0 ? { silent } : {};
    this.#output.status({ kind: "closed", round, expected, present, clipped, ...told });
    this.#output.broadcast(this.#published.message());
  }
}
