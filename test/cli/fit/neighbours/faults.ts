/**
 * What is wrong with a pair of worlds.
 * @module
 */
import { EXIT } from "../../../../src/cli/terminal/exit-code.js";
import type { TablePair } from "./random-tables.js";
import type { World } from "./two-worlds.js";
import { decidedOf, unlistedDecisions } from "./what-was-decided.js";
import { differences, published, seenByOthers, warned } from "./what-differs.js";

/**
 * What is wrong with a pair of worlds, in words; undefined where one of them is refused before anything is released.
 * @param hidden the task whose own part may differ; "" where all models are made of releases alone.
 */
export function faultsOf(
  pair: TablePair,
  present: World,
  neighbour: World,
  hidden: string = pair.changed,
): string[] | undefined {
  if (!neighbour.model) {
    const late = neighbour.releases > 0 || neighbour.code === EXIT.other;
    return late ? [`ended after releases: ${neighbour.err}`] : undefined;
  }
  const [one, two] = [present.model!, neighbour.model];
  const decided = differences(decidedOf(one), decidedOf(two));
  if (decided.length > 0) {
    if (pair.declared) return [`decided by rows though all is declared: ${decided.join(", ")}`];
    return unlistedDecisions(one, two);
  }
  // How many rows a task has is public, and tells in all that is made of it.
  if (pair.resized) return [];
  const seen = differences(seenByOthers(one, hidden), seenByOthers(two, hidden));
  const shown = differences(published(present.document), published(neighbour.document));
  const said = differences(warned(present), warned(neighbour)).length > 0 ? ["warnings"] : [];
  // A neighbour whose sizes of releases are others made its own: what is made of them is not compared.
  const used = neighbour.used.length > 0 ? differences([...present.used], [...neighbour.used]) : [];
  return [
    ...seen,
    ...used.map((path) => `used: ${path}`),
    ...shown.map((path) => `document: ${path}`),
    ...said,
  ];
}
