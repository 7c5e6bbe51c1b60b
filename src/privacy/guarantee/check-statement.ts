/**
 * What a statement of privacy in a file says beyond what its ledger bears out.
 *
 * A file has no signature, so whoever edits statement and ledger together, and leaves no trace in either, is not found. What the two
 * say of the same thing is held together: cost, source of noise, soundness, adjacency, unit and, where one record's promise was lifted to
 * a task, the lift.
 * @module
 */
import {
  attackerGain,
  gaussianSummary,
  type AttackerGain,
  type GaussianSummary,
} from "./gaussian-summary.js";
import { epsilonOf } from "../accounting/account.js";
import { colludersProblem, collusionProblem } from "../check-colluders.js";
import { partiesProblem, personProblem } from "../check-parties.js";
import { groupSizeOf, liftBudget } from "../group.js";
import type { Guarantee } from "./guarantee.js";
import { nominalDelta, trueWishart } from "./describe-guarantee.js";
import type { Ledger, Spending } from "../ledger/ledger.js";
import { LEDGER_UNITS } from "../ledger/ledger-entry.js";
import { sharesOf } from "../noise-shares.js";
import { eventsOf } from "../own-budget.js";
import type { PrivacyEvent } from "../events/event-kinds.js";

/** A guarantee from a file, of which nothing is known. */
type Statement = { readonly [Field in keyof Guarantee]?: unknown };

type RecordOf = NonNullable<Guarantee["recordOf"]>;

/** Rounding of figures that were written as text. */
const SLACK = 1 - 1e-9;

const MORE = "it promises more than its ledger paid for";

/** JSON has no infinity; it promises nothing. */
const atLeast = (stated: unknown, cost: number) =>
  stated === null || (typeof stated === "number" && stated >= cost * SLACK);

/** Whether it would be taken for a promise that holds. */
const claims = ({ sound, noiseSource, private: isPrivate, trueDelta }: Statement) =>
  isPrivate === true ||
  (sound === true && noiseSource === "secure") ||
  (trueDelta !== undefined && !atLeast(trueDelta, 1));

/**
 * What is wrong with a statement; undefined where its ledger bears it out, or there is none.
 * @param options of the fit, where the file has them: a ledger does not say how many rows of a person are hidden.
 */
export function statementProblem(
  stated: object | null | undefined,
  ledger: Ledger | null,
  options?: Readonly<Record<string, unknown>>,
): string | undefined {
  const statement: Statement = stated ?? {};
  const { kind } = statement;
  const misspelt = spellingProblem(statement);
  if (misspelt !== undefined) return misspelt;
  if (!stated || kind === "none") return ledgerless(statement);
  if (kind !== "joint" && kind !== "record") return `kind: it is none of a promise`;
  if (!ledger) return ledgerless(statement);
  return (
    sourceProblem(statement, ledger) ??
    partiesProblem(statement, ledger) ??
    (options && personProblem(statement, options)) ??
    costProblem(statement, ledger)
  );
}

/** The same of the statement of a whole run: one of records alone would be read as made to others, the curator among them. */
export const jointStatementProblem = (
  stated: object | null | undefined,
  ...about: [ledger: Ledger | null, options?: Readonly<Record<string, unknown>>]
): string | undefined =>
  (stated as Statement | null | undefined)?.kind === "record"
    ? "kind: it is that of a statement of records alone"
    : statementProblem(stated, ...about);

const SPELLINGS: Partial<Record<keyof Guarantee, readonly unknown[]>> = {
  sound: [true, false],
  private: [true, false],
  noiseSource: ["secure", "seeded"],
  unit: LEDGER_UNITS,
};

/** Of what whoever reads on asks for as it is written: `sound: "yes"` would be taken for true. */
function spellingProblem(statement: Statement): string | undefined {
  const fields = Object.keys(SPELLINGS) as (keyof Guarantee)[];
  const other = fields.find(
    (field) => statement[field] !== undefined && !SPELLINGS[field]!.includes(statement[field]),
  );
  return other && `${other}: it is none that is written`;
}

const ledgerless = (statement: Statement) =>
  claims(statement) ? "there is no ledger that bears it out" : undefined;

/** What a statement says of its noise and of what that hides, and its ledger does not bear out; undefined where all of it holds. */
function sourceProblem(statement: Statement, ledger: Ledger): string | undefined {
  const { kind, sound, noiseSource, adjacency, unit = "task", person } = statement;
  if (ledger.noiseSource === "seeded" && noiseSource !== "seeded") {
    return "noiseSource: its ledger's noise was seeded";
  }
  if (ledger.nominal && sound !== false) return "sound: its ledger's charges are nominal";
  if (statement.private === true && !(sound === true && noiseSource === "secure")) {
    return "private: its noise was seeded, or its mechanism is not sound";
  }
  if (adjacency !== ledger.adjacency) return "adjacency: its ledger is of another";
  const known = ledger.unit ?? unit;
  const lifts = groupSizeOf(statement) !== undefined;
  const lifted = unit === "task" && known === "record" && lifts;
  if (unit !== known && !lifted) return `unit: its ledger hides one ${known}`;
  // Of older ledgers, which do not say what they hide, there is no telling.
  if (lifts && known !== "record" && ledger.unit !== undefined) {
    return `record: its ledger hides one ${known}, and nothing was lifted`;
  }
  // How many rows a person may have, the joint statement says.
  if (kind === "joint" && known === "person" && !person) return "person: it is not said how many";
  return undefined;
}

/** The same of epsilon and delta, and of the figures that follow from them and the releases. */
function costProblem(statement: Statement, ledger: Ledger): string | undefined {
  const { epsilon, delta, record, gaussian, attacker } = statement;
  const spent = ledger.spent();
  if (spent.rounds === 0 && claims(statement)) return "its ledger has charged nothing";
  const size = groupSizeOf(statement);
  if (statement.groupSize !== undefined && statement.groupSize !== size) {
    return "groupSize: it is no number of rows";
  }
  const cost = size === undefined ? ledger : liftBudget(ledger, size);
  if (!atLeast(epsilon, cost.epsilon) || !atLeast(delta, cost.delta)) return MORE;
  const truth = trueWishart(ledger);
  // What the papers claim is no promise; what is stated holds, as `describeGuarantee` says it.
  if (ledger.nominal && !atLeast(delta, nominalDelta(truth, ledger))) return MORE;
  if (ledger.nominal && !atLeast(epsilon, truth.epsilon)) return MORE;
  const lifted = size === undefined ? spent : { ...spent, ...liftBudget(spent, size) };
  if (!isSpent(statement.spent, lifted)) return "spent: its ledger says otherwise";
  const one = record as Guarantee["record"];
  if (one && !(atLeast(one.epsilon, ledger.epsilon) && atLeast(one.delta, ledger.delta))) {
    return `record: ${MORE}`;
  }
  if (one && one.groupSize !== size) return "record: it is lifted to another number of rows";
  const releases = ledger.plan ?? ledger.entries.map(({ event }) => event);
  // The figures of one record say nothing of n.
  const events = size === undefined ? releases : [];
  if (attacker && !gainsAtLeast(attacker as AttackerGain, attackerGain(cost, events))) {
    return `attacker: ${MORE}`;
  }
  const ofOthers = colludersProblem(statement, { events: releases, delta: ledger.delta }, atLeast);
  if (ofOthers !== undefined) return ofOthers;
  const ofRecord = recordProblem(statement.recordOf, ledger, statement.colluding);
  if (ofRecord !== undefined) return `recordOf: ${ofRecord}`;
  const { trueDelta } = statement;
  if (trueDelta !== undefined && !atLeast(trueDelta, truth.delta)) {
    return `trueDelta: ${MORE}`;
  }
  return gaussian && !gaussianIsBorne(gaussian, gaussianSummary(events, ledger))
    ? `gaussian: ${MORE}`
    : undefined;
}

/** Whether no less is said to have been spent than was, in as many releases; who says nothing of it says no less. */
function isSpent(stated: unknown, { epsilon, delta, rounds }: Spending): boolean {
  if (stated === undefined) return true;
  const spent = Object(stated) as Partial<Record<keyof Spending, unknown>>;
  return atLeast(spent.epsilon, epsilon) && atLeast(spent.delta, delta) && spent.rounds === rounds;
}

/** Whether what is said of Gaussian DP is no less than what was found. */
function gaussianIsBorne(stated: object, found: GaussianSummary | undefined): boolean {
  const { mu, fit, epsilon, slack } = stated as GaussianSummary;
  return (
    found !== undefined &&
    atLeast(mu, found.mu) &&
    (fit !== "exact" || found.fit === "exact") &&
    atLeast(epsilon, found.epsilon ?? Infinity) &&
    atLeast(slack, found.slack)
  );
}

/**
 * What is wrong with what one record of a hidden task is said to have; nothing where there is no telling (`asRead`).
 * @param colluding how many colluders the joint statement counts on.
 */
export function recordProblem(
  stated: unknown,
  ledger: Ledger,
  colluding: unknown,
): string | undefined {
  const { epsilon, delta, sensitivities, collusion } = (stated ?? {}) as Partial<RecordOf>;
  if (!sensitivities) return undefined;
  try {
    const releases = ledger.plan ?? ledger.entries.map(({ event }) => event);
    const events = eventsOf(releases, { sensitivities });
    if (!atLeast(epsilon, epsilonOf(events, { delta: delta! }))) return MORE;
    return tableProblem(collusion, { events, delta: delta! }, colluding);
  } catch {
    return "it is not of its ledger's releases";
  }
}

/** What is wrong with a table for numbers of colluders, of whom a joint statement counts on so many. */
export function tableProblem(
  table: unknown,
  releases: { readonly events: readonly PrivacyEvent[]; readonly delta: number },
  colluding: unknown,
): string | undefined {
  const shares = releases.events[0] && sharesOf(releases.events[0]);
  const all = typeof colluding === "number" && shares !== undefined ? colluding + shares : 0;
  return collusionProblem(table, all, releases, atLeast);
}

const UNTOLD =
  "what one record of a task has is left out, as this was written by an older version, which did not say how far a record moves the releases";

/** A statement from elsewhere without what nothing bears out: what a record has, where it is not said how far it moves releases. */
export function asRead<S extends object>(statement: S): S {
  const { recordOf, ...rest } = statement as Partial<Guarantee>;
  if (!recordOf || recordOf.sensitivities) return statement;
  return { ...rest, note: [rest.note, UNTOLD].filter(Boolean).join("; ") } as unknown as S;
}

/** Whether what an attacker is said to gain at a rate of false positives, and in odds, is no less. */
function gainsAtLeast(stated: AttackerGain, found: AttackerGain): boolean {
  const { falsePositiveRate, truePositiveRate, posterior } = stated;
  const odds =
    !posterior ||
    (found.posterior !== undefined &&
      atLeast(posterior.odds, found.posterior.odds) &&
      atLeast(posterior.except, found.posterior.except));
  // Of fewer false alarms the same gain is promised no less.
  const isRate =
    typeof falsePositiveRate === "number" &&
    falsePositiveRate >= 0 &&
    falsePositiveRate <= found.falsePositiveRate;
  return odds && isRate && atLeast(truePositiveRate, found.truePositiveRate);
}
