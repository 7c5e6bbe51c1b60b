/**
 * Tasks from the JSON files of LEAF, the benchmark of federated learning: one task a user.
 * @see Caldas et al. (2018), "LEAF: a benchmark for federated settings".
 * @module
 */
import { integer } from "../../core/checks.js";
import { DataError } from "../../core/index.js";
import { isArrayLike } from "../../core/is-array-like.js";
import { TaskSet } from "../tasks/task-set.js";

/** A file as LEAF writes it; what else is in it is passed over. */
export interface LeafDocument {
  /** Names of the users, in order. */
  readonly users: readonly string[];
  /** Number of rows of each, in the same order; checked where it is there. */
  readonly num_samples?: readonly number[];
  /** Rows by user. */
  readonly user_data: Readonly<
    Record<
      string,
      {
        /** One x for each row; what it is depends on the data set. */
        readonly x: readonly unknown[];
        /** One target for each row. */
        readonly y: readonly unknown[];
      }
    >
  >;
}

/** Options of {@link leafTasks}. */
export interface LeafOptions {
  /**
   * The features of one x. Left out where they are lists of numbers, as in FEMNIST (784 pixels); CelebA's are names of
   * image files, which the caller reads.
   */
  features?: (x: unknown, user: string) => ArrayLike<number>;
  /** Users with fewer rows are left out, as LEAF's own preparation does; default 1. */
  leastRows?: number;
}

/** The text of a LEAF file as a document. @throws DataError if it is none. */
export function parseLeaf(text: string): LeafDocument {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DataError(
      "LEAF file: expected JSON, and this is not; is it cut short, or still zipped?",
    );
  }
  return checked(value);
}

/**
 * One task for every user of one or several documents (LEAF writes parts of up to a hundred users), in their order.
 *
 * @returns tasks named as the users; targets are what y has: numbers, such as FEMNIST's 0 to 61.
 * @throws DataError naming the user and the row where something is missing, no number, or of another length.
 * @example const train = leafTasks([parseLeaf(readFileSync("all_data_0_niid_0_keep_10_train_9.json", "utf8"))]);
 */
export function leafTasks(
  documents: LeafDocument | readonly LeafDocument[],
  { features, leastRows = 1 }: LeafOptions = {},
): TaskSet {
  integer("leastRows", leastRows, 1);
  const list = [];
  const seen = new Set<string>();
  let width: number | undefined;
  for (const document of Array.isArray(documents) ? documents : [documents]) {
    const { users, num_samples: counts, user_data: data } = checked(document);
    for (const [at, user] of users.entries()) {
      const refuse = (text: string): never => {
        throw new DataError(`LEAF user ${JSON.stringify(user)}: ${text}`);
      };
      if (seen.has(user)) refuse("expected once, found again; parts of a file must not overlap");
      seen.add(user);
      const own = Object.hasOwn(data, user) ? data[user] : undefined;
      if (!own || !Array.isArray(own.x) || !Array.isArray(own.y)) {
        return refuse("expected user_data with lists x and y");
      }
      const count = own.y.length;
      if (own.x.length !== count || (counts && counts[at] !== count)) {
        refuse(
          `expected as many x as y, and num_samples of them; got ${own.x.length} x, ${count} y, num_samples ${counts?.[at] ?? "absent"}`,
        );
      }
      if (count < leastRows) continue;
      const x = own.x.map((value, row) => {
        const read = features ? features(value, user) : value;
        if (!isArrayLike(read))
          return refuse(
            `row ${row}: expected x to be a list of numbers; for names of files give features`,
          );
        const numbers = Array.from(read as ArrayLike<number>);
        width ??= numbers.length;
        if (numbers.length !== width)
          refuse(`row ${row}: expected ${width} features, got ${numbers.length}`);
        if (!numbers.every(Number.isFinite))
          refuse(`row ${row}: expected finite numbers as features`);
        return numbers;
      });
      const y = own.y.map((value, row) =>
        Number.isFinite(value)
          ? (value as number)
          : refuse(`row ${row}: expected a finite number as target`),
      );
      list.push({ name: user, x, y });
    }
  }
  if (list.length === 0) {
    throw new DataError(`LEAF file: expected users with ${leastRows} rows or more, found none`);
  }
  return TaskSet.from(list);
}

function checked(value: unknown): LeafDocument {
  const document = value as Partial<LeafDocument> | null;
  const {
    users,
    num_samples: counts,
    user_data: data,
  } = typeof document === "object" && document !== null ? document : {};
  const listed = Array.isArray(users) && users.every((user) => typeof user === "string");
  const counted = counts === undefined || Array.isArray(counts);
  if (!listed || !counted || typeof data !== "object" || data === null) {
    throw new DataError("LEAF file: expected an object with users, num_samples and user_data");
  }
  return document as LeafDocument;
}
