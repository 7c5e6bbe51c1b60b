/**
 * Tasks' own models in batches: every task's penalty is averaged over by its own evidence.
 * @module
 */
import { taskLosses } from "../../fitted/linear-models.js";
import type { Batches } from "../../round/batches.js";
import type { PublicSizes } from "../../round/halves.js";
import type { CommonOptions } from "../../tasks/common-options.js";
import type { LocalModels } from "../../tasks/local-models.js";
import { ownModels } from "../../tasks/own-models/own-models.js";
import { residentBytes } from "../../tasks/resident-size.js";
import { placeTasks } from "../../tasks/resident-tasks.js";

/** Batches of the squared or the logistic loss. */
export function ownBatches(options: CommonOptions): Batches {
  return {
    work: ({ sizes }) => ownWork(options, sizes),
    bytes: residentBytes,
    place({ core, data, sizes, classes }) {
      const { tasks } = placeTasks(data, options, { core, classes, sizes });
      const { arena } = core;
      let found: LocalModels | undefined;
      const own = () => (found ??= ownModels(tasks));
      return {
        stages: [],
        broadcastLengths: [],
        rounds: [],
        finish(signal) {
          signal?.throwIfAborted();
          own();
        },
        models: () => ({
          weights: own().weights,
          intercepts: options.intercept ? own().intercepts : null,
        }),
        losses() {
          const { weights, intercepts } = own();
          const at = { weights: arena.copyOf(weights), intercepts: arena.copyOf(intercepts) };
          return taskLosses(tasks, options.intercept ? at : { ...at, intercepts: 0 });
        },
        close: () => undefined,
      };
    },
  };
}

/** Multiplications of a task whatever its size, by what they take of time; with labels there are twelve modes of Newton's method. */
const PER_TASK = { squared: 2.5e3, labels: 6e4 } as const;

/** Products of a task's rows and their tridiagonal form, or systems of equations. */
function ownWork({ loss }: CommonOptions, { m, d, rows, mostRows }: PublicSizes): number {
  const k = Math.min(d, mostRows);
  const solve = rows * k * k + 2 * m * k * k * k;
  return loss === "squared" ? solve / 3 + PER_TASK.squared * m : 6 * solve + PER_TASK.labels * m;
}
