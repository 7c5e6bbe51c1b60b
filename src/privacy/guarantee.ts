/**
 * The guarantee of a fit, in plain JSON: what is promised, by which theorem, against whom, and what
 * is not covered.
 * @module
 */
import * as math from "../core/elementary.js";
import type { AccountantName } from "./accounting/accountant.js";
import type { FilterName } from "./accounting/filter.js";
import { wishartLoss } from "./accounting/groups.js";
import { sum } from "./accounting/rounding.js";
import { readDelta } from "./delta.js";
import {
  attackerGain,
  gaussianSummary,
  type AttackerGain,
  type GaussianSummary,
} from "./gaussian-summary.js";
import {
  jointRecordWords,
  taskWords,
  type GuaranteeWords,
  type PersonBound,
  type TrustModel,
} from "./guarantee-words.js";
import type { Ledger, Spending } from "./ledger.js";
import type { SelectionRecord } from "./selection-budget.js";
import type { Mechanism, MechanismName } from "./mechanisms/mechanism.js";
import type { NoiseSource } from "./ledger-entry.js";
import type { Adjacency } from "./event-kinds.js";

/** A privacy statement. Everything in it may be shown to anyone. */
export interface Guarantee extends GuaranteeWords {
  /**
   * Joint differential privacy (billboard lemma): task i, or one record of it, is protected from all the other tasks together;
   * with secure sums from those that `colluding` says.
   */
  kind: "joint";
  adjacency: Adjacency;
  /** The view of all other tasks is (epsilon, delta)-DP with respect to one `unit`. */
  epsilon: number;
  delta: number;
  /** The same releases as Gaussian DP; absent where they have no mu. */
  gaussian?: GaussianSummary;
  /** What the best attack gains; absent where the run protects no one. */
  attacker?: AttackerGain;
  accountant: AccountantName | FilterName;
  mechanism: MechanismName;
  /** Whether the mechanism's own proof gives the (epsilon, delta) that was asked for. */
  sound: boolean;
  why: string;
  /** Secure: ChaCha20 keyed by the platform. Seeded: reproducible, so it protects nothing. */
  noiseSource: "secure" | "seeded";
  /** Whether this run protects anyone: sound mechanism and secure noise. */
  private: boolean;
  note?: string;
  /** Figures computed from several tasks' data that were not charged; for the curator's eyes. */
  notCharged: string[];
  /** What the releases made so far cost. */
  spent: Spending;
  /**
   * Secure sums only, where participants draw the noise: `epsilon` holds against the curator together
   * with that many participants, not against all the others.
   */
  colluding?: number;
  /**
   * Secure sums only: epsilon at `delta` for other numbers of colluders, of whose noise nothing counts;
   * `honest` shares are left.
   */
  collusion?: readonly {
    readonly colluding: number;
    readonly honest: number;
    readonly epsilon: number;
  }[];
  /**
   * Unit "task" whose noise was also accounted for one record: what that has, against the same adversary; `sensitivities`, how far it
   * moves each release, in order, from which the ledger bears that out; `collusion` as above, for the record.
   */
  recordOf?: {
    epsilon: number;
    delta: number;
    sensitivities?: readonly number[];
    collusion?: Guarantee["collusion"];
  };
  /** Where a record's promise, `recordOf` or the whole, is one of all rows of a person: how many those may be. */
  person?: PersonBound;
  /** Methods that protect one record: of how many, the most that a task has, epsilon and delta are; those of the ledger are of one. */
  groupSize?: number;
  /** Methods that protect one record: what they give it, before the lift to `groupSize` records. */
  record?: { epsilon: number; delta: number; groupSize: number };
  /** Only of a model that `fitNewTask` made: that all of this is about the tasks of the fit, and what was done with its own rows. */
  later?: string;
  /** Where hyper-parameters were chosen under this budget: how. Eps and delta include it. */
  selection?: SelectionRecord;
  /** One-sided Wishart only: the smallest delta the releases have, at epsilon and above; of diagonals a bound on it. */
  trueDelta?: number;
  /** Where it is not sound: what the papers would print. */
  nominal?: { epsilon: number; delta: number };
}

/**
 * With an untrusted curator: what each task's records are promised against the curator itself, on top
 * of the joint guarantee. Neighbours differ in one record of one task.
 */
export interface RecordGuarantee
  extends
    GuaranteeWords,
    Pick<
      Guarantee,
      | "attacker"
      | "adjacency"
      | "epsilon"
      | "delta"
      | "accountant"
      | "mechanism"
      | "sound"
      | "why"
      | "noiseSource"
      | "private"
      | "spent"
      | "colluding"
      | "collusion"
    > {
  kind: "record";
  /** From whom records are protected: the curator (absent in older files), or whoever is given their task's own model. */
  against?: "curator" | "own model";
}

/**
 * What one-sided Wishart rounds (nu = d + 1) have in truth, by Statement 1 of `mechanisms/wishart.ts`: delta at any epsilon under
 * zero-out is 1 - exp(-sum of losses), and under replace the rest of the loss is at most their sum.
 */
export function trueWishart(ledger: Pick<Ledger, "entries" | "epsilon">) {
  const losses = ledger.entries.map(({ event }) =>
    event.kind === "wishart" ? { own: wishartLoss(event), claimed: event.nominal } : { own: 0 },
  );
  const total = sum(losses.length, (i) => losses[i]!.own);
  const asClaimed = losses.every(({ own, claimed = own }) => own <= claimed);
  return {
    delta: -math.expm1(-total),
    // The claims' composition bounds rounds that lose no more than was claimed.
    epsilon: asClaimed ? ledger.epsilon : Math.max(total, ledger.epsilon),
  };
}

function selectionNote({ repetitions, candidates }: SelectionRecord): string {
  const among = `epsilon and delta include the choice among ${candidates} candidates by a noisy score`;
  return repetitions === "all"
    ? `${among}; every candidate's run is charged`
    : `${among}; the number of runs and the runs not chosen are for nobody's eyes: whoever sees ` +
        "them has no guarantee";
}

function priorNote({ source }: { readonly source?: string }): string {
  const of = source === undefined ? "" : ` (${source})`;
  return `uses a prior declared public${of}; nothing is claimed about the data it came from`;
}

/** What a statement rests on beside ledger and mechanism. */
export interface GuaranteeContext {
  /** The private selection that the ledger also paid for. */
  readonly selection?: SelectionRecord;
  /** How many units there are, with which delta is compared. */
  readonly tasks?: number;
  /** What the ledger's budget is of; default a task. */
  readonly unit?: "task" | "record";
  /** Where a record's promise is one of all rows of a person. */
  readonly person?: PersonBound;
  /** Default a trusted curator. */
  readonly trust?: TrustModel;
  /** What was declared public and started from; none by default. */
  readonly publicPrior?: { readonly source?: string };
}

/**
 * States what a ledger guarantees.
 *
 * @param ledger      after the last charge.
 * @param mechanism   of the scheduled rounds.
 * @param drawn       the mode of the stream the noise came from; a ledger of seeded noise makes it seeded.
 * @param notCharged  names of pooled figures that were computed and not charged.
 * @param about       what else the statement rests on.
 */
export function describeGuarantee(
  ledger: Ledger,
  mechanism: Mechanism,
  drawn: NoiseSource,
  notCharged: readonly string[],
  {
    selection,
    tasks,
    unit = "task",
    person,
    trust = { kind: "curator" },
    publicPrior,
  }: GuaranteeContext = {},
): Guarantee {
  const { sound } = mechanism;
  const noiseSource = ledger.noiseSource === "seeded" ? "seeded" : drawn;
  const notes: string[] = [];
  if (noiseSource === "seeded") {
    notes.push("reproducible, not private: whoever has the seed can subtract the noise");
  }
  const remark = tasks === undefined ? undefined : readDelta(ledger.delta, tasks, unit).remark;
  if (remark !== undefined) notes.push(remark);
  if (selection) notes.push(selectionNote(selection));
  if (publicPrior) notes.push(priorNote(publicPrior));
  if (!sound) {
    const bound =
      mechanism.statistic === "diagonal"
        ? "at most"
        : ledger.adjacency === "zero-out"
          ? "exactly"
          : "at least";
    notes.push(
      `the papers' claim of epsilon ${ledger.epsilon} is nominal: with probability ${bound} trueDelta ` +
        "the releases of some neighbouring world are impossible in this one",
    );
  }
  const truth = sound ? undefined : trueWishart(ledger);
  const events = ledger.plan ?? ledger.entries.map(({ event }) => event);
  const gaussian = sound ? gaussianSummary(events, ledger) : undefined;
  const isPrivate = sound && noiseSource === "secure";
  return {
    kind: "joint",
    ...(unit === "task"
      ? taskWords(ledger.adjacency, trust)
      : jointRecordWords(ledger.adjacency, trust, person)),
    adjacency: ledger.adjacency,
    epsilon: truth?.epsilon ?? ledger.epsilon,
    // Composition of rounds that lose (eps_t, delta_t) adds the nominal bound's own delta.
    delta: truth ? 1 - (1 - truth.delta) * (1 - ledger.delta) : ledger.delta,
    ...(gaussian ? { gaussian } : {}),
    ...(isPrivate ? { attacker: attackerGain(ledger, events) } : {}),
    accountant: ledger.accountant,
    mechanism: mechanism.name,
    sound,
    why: mechanism.why,
    noiseSource,
    private: isPrivate,
    ...(notes.length > 0 ? { note: notes.join("; ") } : {}),
    notCharged: [...notCharged],
    spent: ledger.spent(),
    ...(person ? { person } : {}),
    ...(selection ? { selection } : {}),
    ...(truth
      ? {
          trueDelta: truth.delta,
          nominal: { epsilon: ledger.epsilon, delta: ledger.delta },
        }
      : {}),
  };
}
