/**
 * Local steps of federated methods: how tasks move towards the shared model between two broadcasts.
 * @module
 */
import type { Pointer } from "../../core/index.js";
import type { Clip } from "../round/learned-clip/learned-clip.js";

/** What a task's objective and its steps are. */
export interface LocalObjective {
  /** Leading parameters that are shared; the rest (intercepts) never leave their task. */
  readonly shared: number;
  /** Where local steps start: from the task's own model, or from the shared one. */
  readonly start: "own" | "global";
  /** E gradient steps, or the exact minimum. */
  readonly localSteps: number | "solve";
  /** Step size of every task, [m], for a weight lambda of (lambda / 2) ||w_k - w~||^2. */
  readonly steps: (lambda: number) => Float64Array;
  /** Radius of the ball that the shared parameters are projected to after every gradient step; absent: they go where they go. */
  readonly radius?: Clip | undefined;
}

/** Moves a batch of tasks; their models, [m, parameters], lie where its maker was told. */
export interface LocalSteps {
  /** Rounds that one call of `run` should take at most, so that it ends soon. */
  readonly atOnce: number;
  /** Sets the weight of the proximal term. */
  hold(lambda: number): void;
  /** Makes what many rounds pay for, at the weight as it is. It stays in the arena, so nothing there may be marked. */
  prepare(): void;
  /**
   * The local steps of consecutive rounds. A model that diverges starts again from the shared one.
   * @param shared [rounds, parameters], the shared model before each round's steps, padded with zeros.
   * @param marks  [rounds, m], 1 for the tasks that take part; absent: all.
   */
  run(shared: Pointer, rounds: number, marks?: Uint8Array): void;
}
