/**
 * Choosing data: loads it, fits once, and computes what to compare with. A fit that runs is stopped: reading
 * other data does not wait for it.
 * @module
 */
import type { BuiltInName, TableChoice } from "../work/messages.js";
import { chooseBuiltIn, openFile, openTable, useTable } from "./data.js";
import { keep, readKept, removeKept } from "./kept-table.js";
import { computeReferences } from "./references.js";
import { startRun, stopRun } from "./run.js";
import { chooseMethod, clip, clipIsLearned } from "./settings.js";

async function begin(): Promise<void> {
  await Promise.all([startRun(), computeReferences()]);
}

/** One of the page's own data sets. */
export async function chooseData(name: BuiltInName): Promise<void> {
  stopRun();
  // At once: what the user chooses while the data is still loading stands.
  chooseMethod("auto");
  if (await chooseBuiltIn(name)) await begin();
}

/** A file of the user's, to be told which column is what; kept in this browser once it could be read. */
export async function openOwnFile(file: File): Promise<void> {
  stopRun();
  if (!(await openFile({ name: file.name, bytes: () => file.arrayBuffer() }))) return;
  const opened = openTable.value;
  if (opened) await keep({ file: opened.file, choice: null });
}

/** The user's own table, told which column is what. */
export async function chooseTable(choice: TableChoice): Promise<void> {
  stopRun();
  if (!(await useTable(choice))) return;
  clip.value = null;
  clipIsLearned.value = false;
  const opened = openTable.value;
  if (opened) await keep({ file: opened.file, choice });
  await begin();
}

/** What the page starts with: the table that is kept, as it was, or simulated data. */
export async function chooseFirst(): Promise<void> {
  const kept = await readKept();
  if (!kept) return chooseData("low-rank");
  const { file, choice } = kept;
  const opened = await openFile(
    { name: file.name, bytes: () => Promise.resolve(file.bytes) },
    choice,
  );
  if (opened && choice) await chooseTable(choice);
}

/** Removes the user's table from this browser, and from the page. */
export async function removeOwnTable(): Promise<void> {
  await removeKept();
  openTable.value = null;
  await chooseData("low-rank");
}
