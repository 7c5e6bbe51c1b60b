/**
 * Tasks from the Stack Overflow data of TensorFlow Federated: one task a user, sentences as bags of words, tags to predict.
 * @see The module `tff.simulation.datasets.stackoverflow` of TensorFlow Federated, for the files; Hu, Wu, Smith (2023), for the use.
 * @module
 */
import { callable, integer, object } from "../../core/checks.js";
import { DataError } from "../../core/index.js";
import { checkNames, namesOf } from "../../core/messages/known-names.js";
import { TaskSet } from "../tasks/task-set.js";

/** An HDF5 file that is open, as `File` of the package `h5wasm` has it. */
export interface Hdf5File {
  /** What there is at a path: a group with `keys`, a data set with `value`; or null. */
  get(path: string): unknown;
}

/** One user's rows: a list for each field, all of one length. */
export interface StackOverflowUser {
  /** Name of the user, and of its task. */
  readonly name: string;
  /** A sentence of the body, in small letters, its words parted by blanks. */
  readonly tokens: readonly string[];
  /** Words of the question's title, written as those of the sentence. */
  readonly title: readonly string[];
  /** The question's tags, parted by `|`. */
  readonly tags: readonly string[];
}

/** Options of {@link stackOverflowTasks}. */
export interface StackOverflowOptions {
  /** The words that count, public: one feature each. */
  readonly words: readonly string[];
  /** The tags to tell apart, public and the more frequent first. */
  readonly tags: readonly string[];
  /** Users with fewer rows are left out; default 1. */
  readonly leastRows?: number;
  /** Of a user's rows that have one of the tags only the first so many; default all. */
  readonly mostRows?: number;
  /** Only the first so many users that have rows enough; default all. */
  readonly mostUsers?: number;
}

const NAMES = namesOf<StackOverflowOptions>({
  words: true,
  tags: true,
  leastRows: true,
  mostRows: true,
  mostUsers: true,
});

/**
 * Users of `stackoverflow_train.h5`, `_held_out.h5` or `_test.h5`, each read when it is its turn.
 *
 * @param file opened by a library of the caller's: `new File("stackoverflow_train.h5", "r")` of `h5wasm/node`.
 * @throws DataError naming the user and the field where one is missing, or its lists have several lengths.
 */
export function* stackOverflowUsers(file: Hdf5File): Generator<StackOverflowUser> {
  callable("file.get", object("file", file, "an open HDF5 file").get);
  const examples = file.get("examples") as { keys?: () => Iterable<string> } | null;
  if (typeof examples?.keys !== "function") {
    throw new DataError(
      'Stack Overflow file: expected a group "examples", with a group for each user',
    );
  }
  for (const name of examples.keys()) {
    const field = (key: "tokens" | "title" | "tags"): readonly string[] => {
      const found = file.get(`examples/${name}/${key}`) as { value?: unknown } | null;
      const value = found?.value;
      if (Array.isArray(value) && value.every((text) => typeof text === "string")) return value;
      throw new DataError(
        `Stack Overflow user ${JSON.stringify(name)}: expected ${key}, a list of texts`,
      );
    };
    yield { name, tokens: field("tokens"), title: field("title"), tags: field("tags") };
  }
}

/**
 * The k most frequent of what was counted, the most frequent first, equals by name: of the words or tags in the JSON files that
 * come with the data.
 * @param counts how often each was counted, by name.
 * @param k      how many, an integer >= 1.
 * @throws DataError if there are fewer; RangeError if k is no such number.
 */
export function mostFrequent(counts: Readonly<Record<string, number>>, k: number): string[] {
  object("counts", counts);
  integer("k", k, 1);
  const entries = Object.entries(counts);
  if (entries.length < k) {
    throw new DataError(
      `mostFrequent: expected at least ${k} that were counted, got ${entries.length}`,
    );
  }
  return entries
    .sort(([a, often], [b, other]) => other - often || (a < b ? -1 : 1))
    .slice(0, k)
    .map(([text]) => text);
}

/**
 * One task for every user: sparse rows with each word's share of sentence and title, and of the tags that a row has the most
 * frequent as its label. Rows with none of the tags are left out, and users without rows enough.
 *
 * The benchmark's own task predicts all tags of a row at once; methods here have one target.
 *
 * @returns tasks named as the users, features as the words; `labels` are all the tags.
 * @throws DataError naming the user where fields have several lengths; if words or tags repeat; or if no user is left.
 * @example
 * const words = mostFrequent(wordCounts, 10_000);
 * const tasks = stackOverflowTasks(stackOverflowUsers(file), { words, tags: mostFrequent(tagCounts, 500), mostUsers: 400 });
 */
export function stackOverflowTasks(
  users: Iterable<StackOverflowUser>,
  options: StackOverflowOptions,
): TaskSet {
  if (typeof users?.[Symbol.iterator] !== "function") {
    throw new TypeError("users: expected what stackOverflowUsers gives, or a list of users");
  }
  checkNames("stackOverflowTasks", options, NAMES);
  const { words, tags, leastRows = 1, mostRows = Infinity, mostUsers = Infinity } = options;
  integer("leastRows", leastRows, 1);
  if (mostRows !== Infinity) integer("mostRows", mostRows, 1);
  if (mostUsers !== Infinity) integer("mostUsers", mostUsers, 1);
  const [columns, ranks] = [places("words", words), places("tags", tags)];
  const list = [];
  for (const user of users) {
    const task = taskOf(user, { columns, ranks, tags, mostRows });
    if (task.y.length < leastRows) continue;
    list.push(task);
    if (list.length === mostUsers) break;
  }
  if (list.length === 0) {
    throw new DataError(
      `Stack Overflow: expected users with ${leastRows} rows or more that have one of the tags, found none`,
    );
  }
  return TaskSet.from(list, { featureNames: words, targetName: "tag", labels: tags });
}

function places(what: string, texts: readonly string[]): Map<string, number> {
  if (!Array.isArray(texts)) {
    throw new TypeError(`${what}: expected a list of texts`);
  }
  const at = new Map(texts.map((text, k) => [text, k]));
  if (texts.length > 0 && at.size === texts.length) return at;
  throw new DataError(
    `${what}: expected at least one, none twice; got ${texts.length}, of which ${at.size} differ`,
  );
}

interface Reading {
  readonly columns: ReadonlyMap<string, number>;
  readonly ranks: ReadonlyMap<string, number>;
  readonly tags: readonly string[];
  readonly mostRows: number;
}

function taskOf(user: StackOverflowUser, { columns, ranks, tags, mostRows }: Reading) {
  const { name, tokens, title } = object("user", user);
  if (title.length !== tokens.length || user.tags.length !== tokens.length) {
    throw new DataError(
      `Stack Overflow user ${JSON.stringify(name)}: expected as many tokens as title and tags; got ${tokens.length}, ` +
        `${title.length} and ${user.tags.length}`,
    );
  }
  const y: string[] = [];
  const indptr = [0];
  const indices: number[] = [];
  const values: number[] = [];
  for (let row = 0; row < tokens.length && y.length < mostRows; row++) {
    const rank = user.tags[row]!.split("|").reduce(
      (least, tag) => Math.min(least, ranks.get(tag) ?? Infinity),
      Infinity,
    );
    if (rank === Infinity) continue;
    y.push(tags[rank]!);
    for (const [column, share] of wordShares(`${tokens[row]!} ${title[row]!}`, columns)) {
      indices.push(column);
      values.push(share);
    }
    indptr.push(indices.length);
  }
  const shape = [y.length, columns.size] as const;
  return { name, x: { indptr, indices, values, shape }, y };
}

/** Share of each known word among all words of a text, by column. */
function wordShares(text: string, columns: ReadonlyMap<string, number>): [number, number][] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const counts = new Map<number, number>();
  for (const word of words) {
    const column = columns.get(word);
    if (column !== undefined) counts.set(column, (counts.get(column) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([column, count]) => [column, count / words.length]);
}
