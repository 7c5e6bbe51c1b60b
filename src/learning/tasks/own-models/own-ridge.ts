/**
 * Every task's Bayesian ridge model in one call: `squaredModel` of each, up to rounding, for dense rows.
 * @see assembly/tasks/own-ridge.ts
 * @module
 */
import { placeEntries, type FoldEntries } from "../fold-entries.js";
import { KernelRecord } from "../kernel-record.js";
import type { LocalModels } from "../local-models.js";
import type { ResidentTasks } from "../resident-tasks.js";
import { evidenceGrid } from "./evidence-grid.js";
import { TARGET_DEVIATION } from "./settings.js";
import { scaleAsked } from "./squared.js";

/** The record of assembly/tasks/own-ridge-job.ts, in its order. */
const WORDS = [
  "data",
  "centred",
  "declared",
  "flat",
  "ratios",
  "ratioCount",
  "slopes",
  "slopeCount",
  "noise",
  "noiseCount",
  "shifts",
  "shiftCount",
  "priors",
  "weights",
  "intercepts",
  "work",
  "entries",
  "left",
  "lanes",
] as const;

/**
 * Models of all tasks, each from its own rows only.
 * @param entries tasks without folds of their rows, in the places of the tasks; their rows are read where they lie. For rows
 *   without weights, whose mean would be another in what is left.
 * @throws RangeError naming a task whose numbers are too large to be squared.
 */
export function ownRidge(tasks: ResidentTasks, entries?: FoldEntries): LocalModels {
  return solve(tasks, entries, false);
}

/**
 * The models of entries for choices among models, never to be a task's own: in single precision where that is good enough.
 * @see assembly/tasks/fold-ridge.ts
 */
export function foldRidge(tasks: ResidentTasks, entries: FoldEntries): LocalModels {
  return solve(tasks, entries, true);
}

function solve(
  tasks: ResidentTasks,
  entries: FoldEntries | undefined,
  inLanes: boolean,
): LocalModels {
  const { core, d, intercept, known, mostRows } = tasks;
  const m = entries ? entries.owners.length : tasks.m;
  const { arena, kernels } = core;
  const mark = arena.mark();
  const flat = intercept && !known.target;
  const { ratios, slopes, noise, shifts, priors } = evidenceGrid(intercept && !flat, known.target);
  const { centered, declared } = scaleAsked({ intercept, known });
  const weights = arena.f64(m * d);
  const intercepts = arena.zeros(m);
  const sizes = [mostRows, d, ratios.length, priors.length, shifts.length] as const;
  const record = new KernelRecord(core, 1, WORDS);
  record.write([known.target ? TARGET_DEVIATION : 0], {
    ...{ data: tasks.at, centred: +centered, declared: +declared, flat: +flat },
    ...{ ratios: arena.copyOf(ratios), ratioCount: ratios.length },
    ...{ slopes: arena.copyOf(slopes), slopeCount: slopes.length / 2 },
    ...{ noise: arena.copyOf(noise), noiseCount: noise.length / 2 },
    ...{ shifts: arena.copyOf(shifts), shiftCount: shifts.length, priors: arena.copyOf(priors) },
    ...{
      weights,
      intercepts: intercept ? intercepts : 0,
      work: arena.bytes(kernels.ownRidgeWorkspace(...sizes)),
    },
    entries: entries ? placeEntries(core, entries) : 0,
    left: entries ? arena.bytes(kernels.leftRowsBytes(mostRows, d)) : 0,
    lanes: inLanes ? arena.bytes(kernels.foldRidgeWorkspace(...sizes)) : 0,
  });
  const failed = inLanes ? kernels.foldRidge(record.at) : kernels.ownRidge(record.at);
  if (failed > 0) {
    throw new RangeError(
      `task ${failed - 1}: its own model needs squares of its features and targets, which are not finite; ` +
        "bring them to a common scale.",
    );
  }
  const result = {
    weights: arena.view(weights, m * d).slice(),
    intercepts: arena.view(intercepts, m).slice(),
  };
  arena.release(mark);
  return result;
}
