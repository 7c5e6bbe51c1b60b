/**
 * Of whom, and against whom, a statement in a file promises something beyond what its ledger bears out.
 * @module
 */
import type { Guarantee, RecordGuarantee } from "./guarantee/guarantee.js";
import { trustWords, type PersonBound } from "./guarantee/guarantee-words.js";
import type { Ledger } from "./ledger/ledger.js";
import { sharesOf } from "./noise-shares.js";
import type { PrivacyEvent } from "./events/event-kinds.js";

/** A statement from a file, of which nothing is known. */
type Stated = Readonly<Partial<Record<keyof Guarantee | "against", unknown>>>;

/** Whom a record may be protected from; older files do not say that it is the curator. */
const PARTIES: readonly unknown[] = ["curator", "own model", undefined];

/** What is wrong; undefined where nothing is. */
export function partiesProblem(
  { kind, against, unit, trust, colluding, person, recordOf }: Stated,
  ledger: Pick<Ledger, "unit" | "plan" | "entries">,
): string | undefined {
  const hidden = ledger.unit ?? unit;
  if (kind === "record") {
    if (!PARTIES.includes(against)) return "against: it is none that is written";
    if (hidden === "task")
      return "unit: its ledger hides tasks, and says nothing of holders of models";
  }
  const events = ledger.plan ?? ledger.entries.map(({ event }) => event);
  if (trust === trustWords({ kind: "two-aggregators" }) && !areOfOne(events, colluding)) {
    return "trust: its ledger's noise is not that of each of two aggregators";
  }
  if (person === undefined || person === null) return undefined;
  const isOfPersons = hidden === "person" || recordOf !== undefined;
  return isOfPersons && isBound(person) ? undefined : "person: its ledger hides none";
}

/** Either of two aggregators draws all the noise that is charged, as one share. */
const areOfOne = (events: readonly PrivacyEvent[], colluding: unknown) =>
  colluding === undefined && events.every((event) => sharesOf(event) === 1);

/** What a person may contribute by the options of the fit; undefined where that is what the statement says. */
export function personProblem(
  { person }: Pick<Stated, "person">,
  options: Readonly<Record<string, unknown>>,
): string | undefined {
  if (person === undefined || person === null) return undefined;
  const stated = Object(person) as Record<string, unknown>;
  const isOfOptions = (["rowsPerPerson", "tasksPerPerson"] satisfies (keyof PersonBound)[]).every(
    (name) => stated[name] === (options[name] ?? 1),
  );
  return isOfOptions ? undefined : "person: the options of the fit say another number of rows";
}

function isBound(person: unknown): boolean {
  const { rowsPerPerson, tasksPerPerson } = Object(person) as Record<string, unknown>;
  return [rowsPerPerson, tasksPerPerson].every(
    (count) => Number.isSafeInteger(count) && (count as number) >= 1,
  );
}

/**
 * What is wrong with the party that records are said to be protected from, by what the model's joint ledger hides: where that is tasks the
 * curator sees records under noise of their own, and where it is records models may be made of releases.
 */
export function holdersProblem(
  { against }: Pick<RecordGuarantee, "against">,
  { unit }: Pick<Ledger, "unit">,
): string | undefined {
  if (unit === undefined || (against === "own model") === (unit !== "task")) return undefined;
  return `against: its ledger hides one ${unit}`;
}
