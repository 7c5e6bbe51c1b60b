/**
 * Which data is being looked at.
 * @module
 */
import { computed, signal } from "@preact/signals";
import type {
  BuiltInName,
  LoadedData,
  TableChoice,
  TableFile,
  TableSummary,
} from "../work/messages.js";
import { perform } from "../work/pool.js";
import { announce } from "./announce.js";
import { forget } from "./forget.js";

/** Data that is loaded, and what to call it. */
export interface DataSet {
  readonly title: string;
  /** What a task is, in the plural: "schools". */
  readonly tasks: string;
  readonly data: LoadedData;
  /** The same data split, or simulated, another time: the k-th, counted from 0. */
  again(split: number, signal: AbortSignal): Promise<LoadedData>;
}

/** A data set that comes with the page. */
export interface BuiltIn {
  readonly name: BuiltInName;
  readonly title: string;
  readonly tasks: string;
  readonly words: string;
}

export const BUILT_INS: readonly BuiltIn[] = [
  {
    name: "low-rank",
    title: "Four prototypes",
    tasks: "tasks",
    words:
      "Every task's model is a copy of one of four prototypes, or its opposite; the papers' simulation.",
  },
  {
    name: "group-sparse",
    title: "Few features matter",
    tasks: "tasks",
    words:
      "Every task has a model of its own, but all use the same 4 features; the papers' simulation.",
  },
  {
    name: "schools",
    title: "Exam scores, made up",
    tasks: "schools",
    words: "Invented schools predict exam scores from facts about each pupil.",
  },
  {
    name: "clinics",
    title: "Readmissions, made up",
    tasks: "clinics",
    words: "Invented clinics predict whether a patient comes back: a yes or no.",
  },
];

/** A table that was opened and not yet told which column is what. */
export interface OpenTable {
  readonly file: TableFile;
  readonly summary: TableSummary;
  /** What was said of its columns before; null: nothing yet. */
  readonly choice: TableChoice | null;
}

export const dataSet = signal<DataSet | null>(null);
export const loading = signal(false);
export const dataProblem = signal<string | null>(null);
export const openTable = signal<OpenTable | null>(null);
/** Whether the user's own table is wanted and the data at hand are still others: these are not what a fit is meant for. */
export const awaitsTable = computed(
  () => source.value === "own" && dataSet.value?.title !== openTable.value?.file.name,
);
/** "own" while the user's own table is wanted. */
export const source = signal<BuiltInName | "own">("low-rank");

/** What is being fulfilled: a later wish ends it, and is not held up by it. */
let wish = new AbortController();

interface Wish<Result> {
  /** What failed, for who listens: "The file could not be read". */
  readonly failed: string;
  get(signal: AbortSignal): Promise<Result>;
  /** Takes what was got, if it is still wanted. */
  take(result: Result): void;
}

/** True once a wish is fulfilled; false if it failed or another one came after it. */
async function fulfil<Result>({ failed, get, take }: Wish<Result>): Promise<boolean> {
  wish.abort(new Error("something else was chosen"));
  const mine = (wish = new AbortController());
  loading.value = true;
  dataProblem.value = null;
  try {
    const result = await get(mine.signal);
    if (mine !== wish) return false;
    take(result);
    return true;
  } catch (error) {
    if (mine !== wish) return false;
    dataProblem.value = (error as Error).message;
    announce(`${failed}. ${dataProblem.value}`);
    return false;
  } finally {
    if (mine === wish) loading.value = false;
  }
}

const load = (title: string, get: (signal: AbortSignal) => Promise<DataSet>) =>
  fulfil({
    failed: `${title} could not be loaded`,
    get,
    take: (loaded) => {
      forget();
      dataSet.value = loaded;
    },
  });

/** Loads data that comes with the page; true once it is there. */
export function chooseBuiltIn(name: BuiltInName): Promise<boolean> {
  const { title, tasks } = BUILT_INS.find((entry) => entry.name === name)!;
  source.value = name;
  const again = (split: number, signal: AbortSignal) =>
    perform("background", "built-in", { name, split }, { signal });
  return load(title, async (signal) => ({
    title,
    tasks,
    again,
    data: await perform("foreground", "built-in", { name, split: 0 }, { signal }),
  }));
}

/** Opens a file and looks at its columns; true once that is done. */
export function openFile(
  { name, bytes: read }: { name: string; bytes: () => Promise<ArrayBuffer> },
  choice: TableChoice | null = null,
): Promise<boolean> {
  source.value = "own";
  openTable.value = null;
  return fulfil<OpenTable>({
    failed: "The file could not be read",
    get: async (signal) => {
      const bytes = await read();
      const summary = await perform("foreground", "inspect", { name, bytes }, { signal });
      return { file: { name, bytes }, summary, choice };
    },
    take: (opened) => {
      openTable.value = opened;
      const { rows, columns } = opened.summary;
      announce(`${name} has ${rows} rows and ${columns.length} columns.`);
    },
  });
}

/** Makes tasks of the opened table. */
export function useTable(choice: TableChoice): Promise<boolean> {
  const { file } = openTable.value!;
  const again = (split: number, signal: AbortSignal) =>
    perform("background", "table", { file, choice, split }, { signal });
  return load(file.name, async (signal) => ({
    title: file.name,
    tasks: "tasks",
    again,
    data: await perform("foreground", "table", { file, choice, split: 0 }, { signal }),
  }));
}
