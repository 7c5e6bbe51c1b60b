/**
 * What comes out where others use what they were given of a fit: predictions of their own rows and of tasks that are new, models of
 * owners that come later, and what a file says that was spent.
 * @module
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { main } from "../../../../src/cli/run.js";
import { TaskSet } from "../../../../src/data/index.js";
import { fitNewTask, type FittedModel } from "../../../../src/learning/index.js";
import { priorText, readPrior } from "../../../../src/model/index.js";
import { testIo } from "../../io.js";
import type { TablePair } from "./random-tables.js";

/** Everything that a command says, and how it ends. */
async function said(args: readonly string[]) {
  const io = testIo();
  const code = await main([...args], io);
  return { code, out: io.out(), err: io.err() };
}

/** How the table is written, of all flags of the fit. */
const formatOf = (flags: readonly string[]) =>
  ["--delimiter", "--decimal"].flatMap((flag) => {
    const at = flags.indexOf(flag);
    return at < 0 ? [] : flags.slice(at, at + 2);
  });

/** The model of an owner that comes after the fit, by the prior alone; or why there is none. */
function laterModel(model: FittedModel): unknown {
  const x = [0.5, -0.25, 1].map((value) => new Array<number>(model.d).fill(value));
  const { featureNames, classes } = model;
  try {
    const targetLevels = classes ? { targetLevels: classes } : {};
    const rows = TaskSet.from([{ name: "later", x, y: [0, 1, 0] }], {
      featureNames,
      ...targetLevels,
    });
    const later = fitNewTask(readPrior(priorText(model)), rows);
    const { guarantee, options, weights, intercepts } = later;
    return { guarantee, options, weights: [...weights], intercepts: [...(intercepts ?? [])] };
  } catch (error) {
    return `error: ${(error as Error).message}`;
  }
}

/** The rows of the present world, without the changed task's, or with these as rows of a task that is new. */
function probeOf({ changed, texts: [text] }: TablePair, newcomer: boolean): string {
  const [header, ...lines] = text.split("\n");
  const renamed = lines.flatMap((line) => {
    const separator = line.slice(changed.length, changed.length + 1);
    const isOf = line.startsWith(changed) && [",", ";", "\t"].includes(separator);
    if (!isOf) return [line];
    return newcomer ? [`newcomer${line.slice(changed.length)}`] : [];
  });
  return [header, ...renamed].join("\n");
}

/**
 * What comes of the models for rows of the tasks that are the same in both worlds, and of a new one.
 * @param folder has the model and its card in "model"; its name must not be in what is compared.
 */
export async function usedByOthers(
  folder: string,
  model: FittedModel,
  pair: TablePair,
): Promise<unknown[]> {
  const { changed, flags } = pair;
  const at = join(folder, "model");
  const data = join(folder, "rows.csv");
  const known = join(folder, "known.csv");
  writeFileSync(data, probeOf(pair, true));
  writeFileSync(known, probeOf(pair, false));
  const rows = ["--model", at, "--data", data, ...formatOf(flags), "--json"];
  const others = model.taskNames.filter(
    (name) => name !== changed && name !== String(Number(changed)),
  );
  const commands = [
    ["predict", "--model", at, "--data", known, ...formatOf(flags), "--json"],
    ["predict", ...rows],
    ["predict", ...rows, "--interval", "0.8", "--unseen", "zeros"],
    ["evaluate", ...rows],
    ["account", "--events", join(at, "model-card.json"), "--delta", "1e-5"],
    ...others.slice(0, 2).map((name) => ["summary", "--model", at, "--task", name, "--json"]),
  ];
  const used: unknown[] = [laterModel(model)];
  for (const args of commands) {
    const { code, out, err } = await said(args);
    const without = (text: string) => text.replaceAll(folder, "");
    used.push({ command: args[0], code, out: without(out), err: without(err) });
  }
  return used;
}
