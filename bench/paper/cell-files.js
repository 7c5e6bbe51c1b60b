/**
 * Where finished cells are kept: one file for each experiment and method, named by a digest of
 * everything that determines its results but eps and replicate. Changed settings mean another file, so
 * nothing old is taken for new; more replicates or budgets go on from those there are.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { VERSION } from "../../build/modules/core/version.js";
import { ResultsFile } from "../../build/modules/cli/evaluation/cells/results-file.js";

const sha256 = (...parts) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
};

/** What tells one source of data from another: options of a simulation, or a table's content. */
export function sourceOf(data) {
  const { tasks, ...rest } = data;
  return data.kind === "table"
    ? { ...rest, digest: sha256(tasks.x, tasks.y, tasks.offsets) }
    : data;
}

/** JSON with the names of every object in order: the same settings give the same text. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`).join(",")}}`;
}

/**
 * The file of an experiment's method.
 * @param determining all that its cells depend on, in plain JSON; the program's version is added.
 */
export function openCellFile(folder, experiment, method, determining) {
  const text = canonical({ version: VERSION, experiment, method, ...determining });
  const name = `${experiment}.${method}.${sha256(text).slice(0, 16)}.jsonl`;
  return ResultsFile.open(join(folder, name), JSON.parse(text));
}
