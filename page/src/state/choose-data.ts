/**
 * Choosing data: loads it, picks a method that suits it, fits once, and computes what to compare with.
 * A fit that runs is stopped: reading other data does not wait for it.
 * @module
 */
import type { BuiltInName, TableChoice } from "../work/messages.js";
import { BUILT_INS, chooseBuiltIn, openFile, useTable } from "./data.js";
import { computeReferences } from "./references.js";
import { startRun, stopRun } from "./run.js";
import { chooseMethod, clip } from "./settings.js";

async function begin(): Promise<void> {
  await Promise.all([startRun(), computeReferences()]);
}

/** One of the page's own data sets. */
export async function chooseData(name: BuiltInName): Promise<void> {
  stopRun();
  // At once: what the user chooses while the data is still loading stands.
  chooseMethod(BUILT_INS.find((entry) => entry.name === name)!.method);
  if (await chooseBuiltIn(name)) await begin();
}

/** A file of the user's, to be told which column is what. */
export async function openOwnFile(file: File): Promise<void> {
  stopRun();
  await openFile(file);
}

/** The user's own table: nothing is fitted before they say so, but the comparison may start. */
export async function chooseTable(choice: TableChoice): Promise<boolean> {
  stopRun();
  if (!(await useTable(choice))) return false;
  clip.value = null;
  void computeReferences();
  return true;
}
