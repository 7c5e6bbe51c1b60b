/**
 * What a ledger guarantees, as a statement.
 * @module
 */
import * as math from "../../core/elementary.js";
import { array, object, text } from "../../core/checks.js";
import { wishartLoss } from "../accounting/groups.js";
import { sum } from "../accounting/rounding.js";
import { readDelta } from "../delta.js";
import { attackerGain, gaussianSummary } from "./gaussian-summary.js";
import type { Guarantee } from "./guarantee.js";
import {
  jointRecordWords,
  taskWords,
  type PersonBound,
  type TrustModel,
} from "./guarantee-words.js";
import { checkLedger, type Ledger } from "../ledger/ledger.js";
import type { NoiseSource } from "../ledger/ledger-entry.js";
import type { Mechanism } from "../mechanisms/mechanism.js";
import type { SelectionRecord } from "../selection/selection-budget.js";

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

/** The delta of rounds that lose (eps_t, delta_t) in truth, with the nominal bound's own: of either, however small. */
export const nominalDelta = (truth: { readonly delta: number }, { delta }: Pick<Ledger, "delta">) =>
  truth.delta + (1 - truth.delta) * delta;

function selectionNote({ repetitions, candidates }: SelectionRecord): string {
  const among = `epsilon and delta include the choice among ${candidates} candidates by a noisy score`;
  return repetitions === "all"
    ? `${among}; every candidate's run is charged`
    : `${among}; the number of runs and the runs not chosen are for nobody's eyes: whoever sees ` +
        "them has no guarantee";
}

function nominalNote({ epsilon, adjacency }: Ledger, { statistic }: Mechanism): string {
  const bound =
    statistic === "diagonal" ? "at most" : adjacency === "zero-out" ? "exactly" : "at least";
  return (
    `the papers' claim of epsilon ${epsilon} is nominal: with probability ${bound} trueDelta ` +
    "the releases of some neighbouring world are impossible in this one"
  );
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
  readonly publicPrior?: {
    /** Where it comes from, in words, as the guarantee's note has it; absent: not said. */
    readonly source?: string;
  };
}

/** What a reader must know beside the numbers, in words. */
function notesOn(
  ledger: Ledger,
  mechanism: Mechanism,
  noiseSource: NoiseSource,
  { selection, tasks, unit, publicPrior }: GuaranteeContext,
): string[] {
  const seeded = "reproducible, not private: whoever has the seed can subtract the noise";
  return [
    noiseSource === "seeded" ? seeded : undefined,
    tasks === undefined ? undefined : readDelta(ledger.delta, tasks, unit).remark,
    selection && selectionNote(selection),
    publicPrior && priorNote(publicPrior),
    mechanism.sound ? undefined : nominalNote(ledger, mechanism),
  ].filter((note) => note !== undefined);
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
  about: GuaranteeContext = {},
): Guarantee {
  const { selection, unit = "task", person, trust = { kind: "curator" } } = about;
  checkLedger(ledger);
  const { sound } = object("mechanism", mechanism);
  text("mechanism.name", mechanism.name);
  array("notCharged", notCharged);
  const noiseSource = ledger.noiseSource === "seeded" ? "seeded" : drawn;
  const notes = notesOn(ledger, mechanism, noiseSource, { ...about, unit });
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
    delta: truth ? nominalDelta(truth, ledger) : ledger.delta,
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
