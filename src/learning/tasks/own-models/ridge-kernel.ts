/**
 * The kernels of every task's ridge model, called once for all.
 * @see assembly/tasks/own-ridge.ts, assembly/tasks/fold-ridge.ts
 * @module
 */
import { placeEntries, type FoldEntries } from "../fold-entries.js";
import { KernelRecord } from "../kernel-record.js";
import type { PlacedModels } from "../local-models.js";
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

/** Models in the core, and how many of them are solved: where one is not, those after it are not either, nor all that come before of entries. */
export interface SolvedModels extends PlacedModels {
  readonly solved: number;
}

/** The models of the tasks from `first` on, or of entries, in their order up to the first whose products are not finite. */
export function solveRidge(
  tasks: ResidentTasks,
  { first = 0, entries }: { readonly first?: number; readonly entries?: FoldEntries },
  inLanes: boolean,
): SolvedModels {
  const { core, d, intercept, known, mostRows } = tasks;
  const m = entries ? entries.owners.length : tasks.m - first;
  const { arena, kernels } = core;
  const weights = arena.f64(m * d);
  const intercepts = intercept ? arena.zeros(m) : 0;
  const mark = arena.mark();
  const flat = intercept && !known.target;
  const { ratios, slopes, noise, shifts, priors } = evidenceGrid(intercept && !flat, known.target);
  const { centered, declared, multiples } = scaleAsked({ intercept, known });
  const sizes = [mostRows, d, ratios.length, priors.length, shifts.length] as const;
  const record = new KernelRecord(core, 1, WORDS);
  record.write([known.target ? TARGET_DEVIATION : 0], {
    data: first > 0 ? tasks.placeRange(first, m) : tasks.at,
    centred: +centered,
    declared: declared ? arena.copyOf(multiples!) : 0,
    flat: +flat,
    ratios: arena.copyOf(ratios),
    ratioCount: ratios.length,
    slopes: arena.copyOf(slopes),
    slopeCount: slopes.length / 2,
    noise: arena.copyOf(noise),
    noiseCount: noise.length / 2,
    shifts: arena.copyOf(shifts),
    shiftCount: shifts.length,
    priors: arena.copyOf(priors),
    weights,
    intercepts,
    work: arena.bytes(kernels.ownRidgeWorkspace(...sizes)),
    entries: entries ? placeEntries(core, entries) : 0,
    left: entries ? arena.bytes(kernels.leftRowsBytes(mostRows, d)) : 0,
    lanes: inLanes ? arena.bytes(kernels.foldRidgeWorkspace(...sizes)) : 0,
  });
  const failed = inLanes ? kernels.foldRidge(record.at) : kernels.ownRidge(record.at);
  arena.release(mark);
  return { solved: failed > 0 ? failed - 1 : m, weights, intercepts };
}
