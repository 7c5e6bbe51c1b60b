/**
 * Kernels over ragged tasks in batches: `assembly/tasks`.
 * @module
 */
import type { TaskLossKernels } from "./task-losses.js";
import type { TaskModelKernels } from "./task-models.js";
import type { TaskQuadraticKernels } from "./task-quadratics.js";
import type { TaskRoundKernels } from "./task-rounds.js";
import type { TaskSpectrumKernels } from "./task-spectra.js";

/**
 * Batched work over ragged tasks. `data` is the record of src/learning/tasks/task-data.ts: X[N,d],
 * y[N], row offsets, the c_i of L_i = c_i sum_j loss, and the loss: 0 squared (p-y)^2/2, 1 logistic
 * log(1+exp(-y p)) with y in {-1,+1}. `intercepts` f64[m] or 0 for none. Rows may have weights s_j, which multiply
 * their losses. They may be sparse, for predictions, losses, gradients, curvatures and rounds of gradient steps.
 */
export interface TaskKernels
  extends
    TaskLossKernels,
    TaskQuadraticKernels,
    TaskRoundKernels,
    TaskModelKernels,
    TaskSpectrumKernels {}
