/**
 * Choosing data: loads it, picks a method that suits it, fits once, and computes what to compare with.
 * @module
 */
import type { BuiltInName, TableChoice } from "../work/messages.js";
import { BUILT_INS, chooseBuiltIn, useTable } from "./data.js";
import { computeReferences } from "./references.js";
import { startRun } from "./run.js";
import { chooseMethod, clip } from "./settings.js";

async function begin(): Promise<void> {
  await Promise.all([startRun(), computeReferences()]);
}

/** One of the page's own data sets. */
export async function chooseData(name: BuiltInName): Promise<void> {
  // At once: what the user chooses while the data is still loading stands.
  chooseMethod(BUILT_INS.find((entry) => entry.name === name)!.method);
  if (await chooseBuiltIn(name)) await begin();
}

/** The user's own table: nothing is fitted before they say so, but the comparison may start. */
export async function chooseTable(choice: TableChoice): Promise<boolean> {
  if (!(await useTable(choice))) return false;
  clip.value = null;
  void computeReferences();
  return true;
}
