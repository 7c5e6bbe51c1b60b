/**
 * Who is protected from whom, and how well: a table of parties and units, made of what a fit guarantees.
 *
 * What protects a task protects each of its records: worlds that differ in one record differ in one task. The reverse does
 * not hold, so a table never infers a task's figure from a record's.
 *
 * **Statement.** Where a task's neighbour is that it adds nothing (zero-out), two worlds that differ in one of its records are (2 eps,
 * (1 + e^eps) delta)-indistinguishable. **Proof.** Both are neighbours of the world in which the task adds nothing, and of no nearer one:
 * without the record, or with another, the task still uploads something. P <= e^eps Q + delta from each to the next. QED
 * @module
 */
import * as math from "../../core/elementary.js";
import { array, object } from "../../core/checks.js";
import { roundUp } from "../accounting/rounding.js";
import type { Guarantee, RecordGuarantee } from "./guarantee.js";
import { personWords, trustWords } from "./guarantee-words.js";

/** One line: a record, all rows of a person, or all that a task has, against one party. */
export interface Protection {
  /** What is protected. */
  readonly of: "record" | "person" | "task";
  /** From whom. */
  readonly against: "other tasks" | "curator" | "own model" | "all models";
  /** null: no promise. */
  readonly epsilon: number | null;
  /** The delta that goes with it; null: no promise. */
  readonly delta: number | null;
  /** A sentence that may be quoted. */
  readonly words: string;
  /** Where owners have budgets of their own: whose tasks it is about; absent: all. */
  readonly tasks?: readonly string[];
}

/** The units of a fit, in words. A person stands in the place of a record, which is no more than that. */
const unitsOf = ({ person }: Stated): readonly (readonly [Protection["of"], string])[] => [
  person ? ["person", personWords(person)] : ["record", "one record (row) of a task"],
  ["task", "everything a task has"],
];

const PARTIES: Readonly<Record<Protection["against"], string>> = {
  "other tasks":
    "all the other tasks' owners together, with their models and all that was broadcast, and whoever has these",
  curator: "the curator, who runs the rounds",
  "own model": "whoever is given that task's own model, beside the above",
  "all models":
    "whoever holds the models of all tasks, without the figures of all rows in the curator's file",
};

/** Of two aggregators one may be against all others: the curator is one of them. */
const EITHER = /* @__PURE__ */ trustWords({ kind: "two-aggregators" });

/** Whether whoever runs the rounds sees sums alone. */
const hidesParts = ({ colluding, trust }: Stated) => colluding !== undefined || trust === EITHER;

/** What a guarantee must say for its table. */
export type Stated = Pick<
  Guarantee,
  | "unit"
  | "epsilon"
  | "delta"
  | "sound"
  | "noiseSource"
  | "colluding"
  | "collusion"
  | "recordOf"
  | "person"
> &
  Partial<Pick<Guarantee, "trust" | "adjacency" | "record">>;
/** What a guarantee of single records must say for the table. */
export type StatedRecord = Pick<RecordGuarantee, "epsilon" | "delta" | "against" | "collusion">;

interface Figures {
  readonly epsilon: number;
  readonly delta: number;
}

/**
 * What holds against all others together. Where participants drew the noise these know their own, so that it is the row of most
 * colluders; nothing where that is not stated.
 */
function againstAll(
  { epsilon, delta, collusion = [] }: Figures & { readonly collusion?: Guarantee["collusion"] },
  { colluding }: Stated,
): Figures | undefined {
  if (colluding === undefined) return { epsilon, delta };
  const most = collusion.reduce<(typeof collusion)[number] | undefined>(
    (last, row) => (last && last.colluding > row.colluding ? last : row),
    undefined,
  );
  return most && { epsilon: most.epsilon, delta };
}

/** What a promise of a whole task is of one of its records, or of a person's; nothing where delta comes to 1. */
function withinTask(
  ofTask: Figures | undefined,
  { adjacency, record }: Stated,
): Figures | undefined {
  // A promise that was lifted from one record to its task holds of that record by itself.
  if (!ofTask || adjacency !== "zero-out" || record) return ofTask;
  const { epsilon, delta } = ofTask;
  const twice = delta > 0 ? roundUp((1 + math.exp(epsilon)) * delta) : 0;
  return twice < 1 ? { epsilon: 2 * epsilon, delta: twice } : undefined;
}

/** The smaller epsilon where several promises hold. */
function figuresOf(
  which: Protection["of"],
  against: Protection["against"],
  joint: Stated,
  records: StatedRecord | null,
): Figures | undefined {
  const { epsilon, delta, unit = "task" } = joint;
  const jointly = { epsilon, delta };
  const ofTask = which === "task";
  const fromCurator = records && records.against !== "own model" ? records : undefined;
  const fromHolder = records?.against === "own model" ? records : undefined;
  // A person who is in several tasks is not within one.
  const inTask = (joint.person?.tasksPerPerson ?? 1) === 1;
  const promised = (promise: Figures | undefined) => {
    if (unit !== "task") return ofTask ? undefined : promise;
    return ofTask ? promise : inTask ? withinTask(promise, joint) : undefined;
  };
  switch (against) {
    case "other tasks":
      if (!ofTask && joint.recordOf) {
        const own = againstAll(joint.recordOf, joint);
        if (own) return own;
      }
      return promised(againstAll(joint, joint));
    case "curator":
      if (hidesParts(joint)) {
        if (!ofTask && joint.recordOf) return joint.recordOf;
        const own = promised(jointly);
        if (own) return own;
      }
      // Noise on uploads hides nothing from whoever ran the fit over the rows (`inOnePlace`).
      return which === "record" && !joint.trust?.includes("in one place") ? fromCurator : undefined;
    case "own model":
    case "all models":
      return ofTask || !fromHolder ? undefined : againstAll(fromHolder, joint);
  }
}

/**
 * The table of a fit: every unit against every party.
 *
 * @param joint   `model.guarantee`.
 * @param records `model.recordGuarantee`, if there is one.
 * @returns eight lines; all without a promise where the noise was seeded or its mechanism is not sound.
 */
export function protectionTable(
  joint: Stated,
  records: StatedRecord | null = null,
): readonly Protection[] {
  object("joint", joint);
  const holds = joint.sound && joint.noiseSource === "secure";
  return unitsOf(joint).flatMap(([of, unit]) =>
    (Object.keys(PARTIES) as Protection["against"][]).map((against): Protection => {
      const found = holds ? figuresOf(of, against, joint, records) : undefined;
      const { epsilon = null, delta = null } = found ?? {};
      const ofCurator = against === "curator";
      const together =
        ofCurator && joint.colluding !== undefined
          ? ` together with up to ${joint.colluding} participants`
          : "";
      // Parts of sums are hidden from it by cryptography.
      const how = ofCurator && hidesParts(joint) ? ", computationally" : "";
      const words = found
        ? `what ${PARTIES[against]}${together} can learn is (${epsilon}, ${delta})-differentially private in ${unit}${how}`
        : `${unit} is not protected from ${PARTIES[against]}`;
      return { of, against, epsilon, delta, words };
    }),
  );
}

/** What is promised to the owner of one task. */
export interface OwnerPromises {
  readonly task: string;
  readonly guarantee: Stated | { readonly kind: "none" };
  readonly recordGuarantee: StatedRecord | null;
}

/**
 * The table of a fit whose owners have budgets of their own: a line for each figure, with the tasks that it is about; one for
 * all of them where they have the same.
 */
export function protectionOfOwners(owners: readonly OwnerPromises[]): readonly Protection[] {
  const tables = array("owners", owners).flatMap(({ task, guarantee, recordGuarantee }, k) => {
    object(`owners[${k}].guarantee`, guarantee);
    return "epsilon" in guarantee
      ? [{ task, lines: protectionTable(guarantee, recordGuarantee) }]
      : [];
  });
  const [first] = tables;
  return (first?.lines ?? []).flatMap((_, k): Protection[] => {
    const byFigure = new Map<string, { line: Protection; tasks: string[] }>();
    for (const { task, lines } of tables) {
      const line = lines[k]!;
      const found = byFigure.get(line.words);
      if (found) found.tasks.push(task);
      else byFigure.set(line.words, { line, tasks: [task] });
    }
    const all = [...byFigure.values()];
    if (all.length === 1) return [all[0]!.line];
    return all.map(({ line, tasks }) => ({
      ...line,
      tasks,
      words: `for ${tasks.map((task) => JSON.stringify(task)).join(", ")}: ${line.words}`,
    }));
  });
}
