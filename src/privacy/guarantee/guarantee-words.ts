/**
 * What a guarantee says in sentences: who is protected, compared with what, whom one must trust, what
 * it covers and what it does not.
 * @module
 */
import { integer, object } from "../../core/checks.js";
import type { Adjacency } from "../events/event-kinds.js";

/** Whom the owners of tasks must trust. */
export type TrustModel =
  /** The curator, who sees what every task uploads. */
  | { readonly kind: "curator" }
  /** Every record carries noise before it is uploaded (Algorithm 5). */
  | {
      readonly kind: "record-noise";
      /** What each record is promised against the curator. */
      readonly epsilon: number;
    }
  /** Secure sums, against the curator with some of the participants. */
  | {
      readonly kind: "secure-sums";
      /** How many of the participants may collude with the curator. */
      readonly colluding: number;
      /** Participants in all, each of whom adds a share of the noise. */
      readonly participants: number;
    }
  /** The curator, and of whatever a relay adds up that relay. */
  | { readonly kind: "relays" }
  /** One of two aggregators, whichever it is. */
  | { readonly kind: "two-aggregators" };

/** What one person may contribute, public; who has which rows is public too, not what stands in them. */
export interface PersonBound {
  /** Most rows of one person in one task. */
  readonly rowsPerPerson: number;
  /** Most tasks that have rows of one person. */
  readonly tasksPerPerson: number;
}

/** `all rows of one person, at most 2 in each of at most 3 tasks`. */
export function personWords(person: PersonBound): string {
  const { rowsPerPerson, tasksPerPerson } = object("person", person);
  const rows = integer("rowsPerPerson", rowsPerPerson, 1);
  const tasks = integer("tasksPerPerson", tasksPerPerson, 1);
  return `all rows of one person, at most ${rows} in ${tasks === 1 ? "one task" : `each of at most ${tasks} tasks`}`;
}

/** The sentences of a guarantee. Everything in them may be shown to anyone. */
export interface GuaranteeWords {
  /** What is protected. */
  readonly unit: "task" | "record" | "person";
  /** The two worlds that nobody can tell apart, in a sentence. */
  readonly neighbours: string;
  /** Whom one must trust, in a sentence. */
  readonly trust: string;
  /** What is counted in epsilon and delta, and what adds to them. */
  readonly scope: string;
  /** What it does not cover. */
  readonly notCovered: readonly string[];
}

const NEIGHBOURS: Readonly<Record<Adjacency, string>> = {
  replace:
    "one task has its own data, or any other data in their place; all other tasks are the same",
  "zero-out":
    "one task has its own data, or uploads only zeros, as if it were not there; all other tasks are the same",
};

/** Two worlds that differ in one task, in a sentence. */
export const taskNeighbours = (adjacency: Adjacency): string => NEIGHBOURS[adjacency];

/** Two worlds that differ in one task, where what one record adds is hidden and lifted to all of its task's. */
export const liftedNeighbours = (adjacency: Adjacency): string =>
  adjacency === "replace"
    ? NEIGHBOURS.replace
    : "the rows of one task add what they add, or nothing; all other tasks, and how many rows each has, are the same";

/** The sentence on trust. @throws TypeError or RangeError for another `kind`. */
export function trustWords(trust: TrustModel): string {
  const { kind } = object("trust", trust);
  switch (trust.kind) {
    case "curator":
      return "the curator, who runs the rounds, is trusted: it sees what every task uploads without noise";
    case "record-noise":
      return (
        "the curator is not trusted with records: what a task uploads carries noise that protects each of " +
        `its records from the curator with epsilon ${trust.epsilon} (recordGuarantee); it is trusted to add ` +
        "the noise that protects whole tasks"
      );
    case "secure-sums":
      return (
        "no one is trusted with what a task uploads: the curator sees sums with the participants' own noise; " +
        `the promise holds against it with up to ${trust.colluding} of ${trust.participants} participants`
      );
    case "relays":
      return (
        "the curator, who runs the rounds, and the relays are trusted: a relay sees without noise what the tasks of its participants " +
        "upload, and the curator what relays add up, and what comes without one"
      );
    case "two-aggregators":
      return (
        "of two aggregators one is trusted, whichever it is: neither sees what a task uploads, each adds all the noise, " +
        "and the promise holds against the other one together with all other participants; both together see every upload"
      );
    default:
      throw new RangeError(
        `trust.kind: expected curator, record-noise, secure-sums, relays or two-aggregators; got ${JSON.stringify(kind)}`,
      );
  }
}

/**
 * A statement of a fit in one place, made of the one that owners who upload would have. What noise on uploads promises them still
 * follows from the noise; whoever ran this fit saw the rows that it hides, which tables of promises know by "in one place".
 */
export function inOnePlace<Stated extends Pick<GuaranteeWords, "trust">>(stated: Stated): Stated {
  const trust =
    stated.trust === trustWords({ kind: "curator" })
      ? "the curator, here whoever runs the fit, is trusted: the rows of all tasks are in one place, where it sees them without noise"
      : `${stated.trust}; this fit had the rows of all tasks in one place, and whoever ran it is trusted with them`;
  return { ...stated, trust };
}

/**
 * What no promise covers where sums hide their parts by cryptography and not by noise; nothing for those that do not.
 * @param ring whether participants mask their vectors with neighbours in a ring that the curator orders (`dropOuts`).
 */
export function hiddenByCiphers(trust: TrustModel, ring = false): readonly string[] {
  switch (trust.kind) {
    case "secure-sums":
      return [
        "whoever breaks the cryptography that hides the parts of a sum: against the curator the promise is computational",
        "participants who come to collude with the curator while the run goes on: who does is taken to be settled beforehand",
        ...(ring
          ? [
              "an order of the ring in which colluders stand close together: a chance of 2^-100 for each order that the curator tries, beside delta",
            ]
          : []),
      ];
    case "two-aggregators":
      return [
        "whoever breaks the cryptography that hides the parts of a sum: against either aggregator the promise is computational",
      ];
    default:
      return [];
  }
}

const NOT_COVERED = [
  "a task's data from whoever holds its own model",
  "numbers of tasks and rows, names of tasks and features, and the labels that occur, which are public",
  "times, sizes of messages and other side channels of the machines",
  "whatever of the data is public or was learned from them elsewhere",
];

/** The sentences for a task protected from all the others. */
export function taskWords(adjacency: Adjacency, trust: TrustModel): GuaranteeWords {
  return {
    unit: "task",
    neighbours: NEIGHBOURS[adjacency],
    trust: trustWords(trust),
    scope: "this run and all it released; another on the same data adds to it",
    notCovered: NOT_COVERED,
  };
}

/** Of a model of tasks that came after a fit. Whether one was in it after all nobody can tell from a prior. */
export const LATER_TASKS = {
  rows: "the model of each task was made by its owner alone from its own rows: nothing of them was released for it",
  covers: "what is promised here covers the tasks of the fit; a task that came later was not in it",
} as const;

const RECORD_NEIGHBOURS: Readonly<Record<Adjacency, string>> = {
  replace:
    "one record (row) of one task is as it is, or any other in its place; all other records, and how many each task has, are the same",
  "zero-out":
    "one record (row) of one task adds what it adds, or nothing; all other records, and how many each task has, are the same",
};

const PERSON_NEIGHBOURS: Readonly<Record<Adjacency, string>> = {
  replace: "are as they are, or any others in their place",
  "zero-out": "add what they add, or nothing",
};

const OF_THE_TASK =
  "what is true of a whole task, such as a column that is the same in all its rows";

const RECORD_NOT_COVERED = [
  `a person who has several records, each of which is protected by itself, and ${OF_THE_TASK}`,
  ...NOT_COVERED.map((line) => line.replace("a task's data from", "a record from")),
];

const PERSON_NOT_COVERED = [
  `who has how many rows in which task, which is public, and ${OF_THE_TASK}`,
  ...NOT_COVERED.map((line) =>
    line.replace("a task's data from", "a person's rows in a task from"),
  ),
];

/** What is protected of whom, where noise hides single records or all those of a person. */
function recordUnit(
  adjacency: Adjacency,
  person: PersonBound | undefined,
): Pick<GuaranteeWords, "unit" | "neighbours" | "notCovered"> {
  if (!person) {
    const neighbours = RECORD_NEIGHBOURS[adjacency];
    return { unit: "record", neighbours, notCovered: RECORD_NOT_COVERED };
  }
  return {
    unit: "person",
    neighbours: `${personWords(person)}, ${PERSON_NEIGHBOURS[adjacency]}; all other rows, and whose each is, are the same`,
    notCovered: PERSON_NOT_COVERED,
  };
}

/** The sentences for one record, or person, protected from all the tasks that do not have it. */
export function jointRecordWords(
  adjacency: Adjacency,
  trust: TrustModel,
  person: PersonBound | undefined,
): GuaranteeWords {
  return {
    ...recordUnit(adjacency, person),
    trust: trustWords(trust),
    scope: "this run and all it released; another on the same data adds to it",
  };
}

/** The sentences for one record protected from the curator. */
export function recordWords(epsilon: number): GuaranteeWords {
  return {
    unit: "record",
    neighbours:
      "one record of one task is as it is, or any other in its place; everything else is the same",
    trust: trustWords({ kind: "record-noise", epsilon }),
    scope: "what the task uploaded in this run; another on the same data adds to it",
    notCovered: NOT_COVERED,
  };
}

/**
 * The sentences for one record, or person, protected from whoever is given its own task's model.
 * @param joint of the same unit, against all other tasks: whom that trusts is trusted here, too, and what hides the parts of its sums hides them.
 */
export function ownModelWords({
  unit,
  neighbours,
  trust,
  notCovered,
}: GuaranteeWords): GuaranteeWords {
  return {
    unit,
    neighbours,
    trust: `${trust}; the record's own task is trusted, too, and whoever is given its model need not be`,
    scope:
      "all that the run released and the task's own model together; another run on the same data adds to it",
    notCovered: notCovered.filter((line) => !line.includes("whoever holds its own model")),
  };
}
