/**
 * Which data is being looked at.
 * @module
 */
import { signal } from "@preact/signals";
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
}

/** A data set that comes with the page. */
export interface BuiltIn {
  readonly name: BuiltInName;
  readonly title: string;
  readonly tasks: string;
  readonly words: string;
  /** The method to start with. */
  readonly method: string;
}

export const BUILT_INS: readonly BuiltIn[] = [
  {
    name: "low-rank",
    title: "Four prototypes",
    tasks: "tasks",
    words:
      "Every task's model is a copy of one of four prototypes, or its opposite; the papers' simulation.",
    method: "feature-learning",
  },
  {
    name: "group-sparse",
    title: "Few features matter",
    tasks: "tasks",
    words:
      "Every task has a model of its own, but all use the same 4 features; the papers' simulation.",
    method: "feature-selection",
  },
  {
    name: "schools",
    title: "Exam scores, made up",
    tasks: "schools",
    words: "Invented schools predict exam scores from facts about each pupil.",
    method: "feature-learning",
  },
  {
    name: "clinics",
    title: "Readmissions, made up",
    tasks: "clinics",
    words: "Invented clinics predict whether a patient comes back: a yes or no.",
    method: "hierarchical",
  },
];

/** A table that was opened and not yet told which column is what. */
export interface OpenTable {
  readonly file: TableFile;
  readonly summary: TableSummary;
}

export const dataSet = signal<DataSet | null>(null);
export const loading = signal(false);
export const dataProblem = signal<string | null>(null);
export const openTable = signal<OpenTable | null>(null);
/** "own" while the user's own table is wanted. */
export const source = signal<BuiltInName | "own">("low-rank");

/** Later wishes win over earlier ones that are still being fulfilled. */
let wish = 0;

async function load(what: string, get: () => Promise<DataSet>): Promise<boolean> {
  const mine = ++wish;
  loading.value = true;
  dataProblem.value = null;
  try {
    const loaded = await get();
    if (mine !== wish) return false;
    forget();
    dataSet.value = loaded;
    return true;
  } catch (error) {
    if (mine === wish) {
      dataProblem.value = (error as Error).message;
      announce(`${what} could not be loaded. ${dataProblem.value}`);
    }
    return false;
  } finally {
    if (mine === wish) loading.value = false;
  }
}

/** Loads data that comes with the page; true once it is there. */
export function chooseBuiltIn(name: BuiltInName): Promise<boolean> {
  const { title, tasks } = BUILT_INS.find((entry) => entry.name === name)!;
  source.value = name;
  return load(title, async () => ({
    title,
    tasks,
    data: await perform("foreground", "built-in", { name }),
  }));
}

/** Opens a file and looks at its columns. */
export async function openFile(file: File): Promise<void> {
  const mine = ++wish;
  source.value = "own";
  dataProblem.value = null;
  loading.value = true;
  try {
    const bytes = await file.arrayBuffer();
    const summary = await perform("foreground", "inspect", { name: file.name, bytes });
    if (mine !== wish) return;
    openTable.value = { file: { name: file.name, bytes }, summary };
    announce(`${file.name} has ${summary.rows} rows and ${summary.columns.length} columns.`);
  } catch (error) {
    if (mine !== wish) return;
    openTable.value = null;
    dataProblem.value = (error as Error).message;
    announce(`The file could not be read. ${dataProblem.value}`);
  } finally {
    if (mine === wish) loading.value = false;
  }
}

/** Makes tasks of the opened table. */
export function useTable(choice: TableChoice): Promise<boolean> {
  const table = openTable.value!;
  return load(table.file.name, async () => ({
    title: table.file.name,
    tasks: "tasks",
    data: await perform("foreground", "table", { file: table.file, choice }),
  }));
}
