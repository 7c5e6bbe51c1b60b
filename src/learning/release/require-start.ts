/**
 * What a fit refuses, it refuses when it starts: here it starts, and ends before anything is released.
 * @module
 */
import { closeCore, openCore } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import type { PublicSizes } from "../round/halves.js";
import { outputsOf } from "../tasks/losses.js";
import { targetsOf } from "../tasks/targets.js";
import type { DividedEstimator } from "./private-estimator.js";

/**
 * @param sizes of the run: with a part of its rows they are still those of all.
 * @throws whatever the fit of these rows would refuse them by.
 */
export function requireStart(
  estimator: DividedEstimator,
  given: TaskSet,
  sizes: PublicSizes,
): void {
  const { options, halves } = estimator;
  const data = estimator.rowsFor(given);
  const { classes } = targetsOf(data, options.loss);
  const outputs = outputsOf(options.loss, classes);
  const releases = halves.releases({ sizes, outputs });
  const core = openCore();
  const onOneMachine = true;
  const curator = halves.curator({ core, sizes, outputs, releases, onOneMachine });
  try {
    const positions = Array.from({ length: data.m }, (_, i) => i);
    const { start } = curator;
    halves
      .participants({ core, data, sizes, positions, classes, onOneMachine, start, releases })
      .close();
  } finally {
    curator.close();
    closeCore(core);
  }
}
