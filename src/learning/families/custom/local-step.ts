/**
 * Participants whose local step is the user's own function.
 * @module
 */
import { clipNow, type Clip } from "../../round/learned-clip/learned-clip.js";
import type { Pointer } from "../../../core/index.js";
import type { TaskSet } from "../../../data/index.js";
import type { Participants } from "../../round/participants.js";
import type { ResidentTasks } from "../../tasks/resident-tasks.js";
import { answerOf, type Answer } from "./answer.js";

/** What one task's step may look at: the broadcast, its own model and its own rows. */
export interface StepInput {
  /** 1-based. */
  readonly round: number;
  /** Position of the task, from 0. */
  readonly index: number;
  /** Name of the task. */
  readonly task: string;
  /** What the sharing rule made of the release; a copy. */
  readonly broadcast: Float64Array;
  /** The model that was clipped and uploaded in this round, [d]. */
  readonly upload: Float64Array;
  /** That model before clipping, [d]. */
  readonly model: Float64Array;
  /** The task's model of the round before, [d]; its first one in round 1. */
  readonly previous: Float64Array;
  /** Rows of the task, [n, d]; a copy. */
  readonly x: Float64Array;
  /** Targets, [n], -1 and +1 for the logistic loss; a copy. */
  readonly y: Float64Array;
}

/** A task's new model, [d]. It sees no other task's model: what it needs of them is in the broadcast. */
export type LocalStep = (input: StepInput) => Answer;

/** How the batch uploads and steps. */
export interface CustomStepsOptions {
  /** K. */
  readonly clip: Clip;
  readonly step: LocalStep;
  /** W(0), [m, d]. */
  readonly initial: Float64Array;
  readonly broadcastLength: number;
}

/** A batch of tasks, each of which takes the step alone. */
export class CustomSteps implements Participants {
  readonly m: number;
  readonly uploadLength: number;
  readonly weights: Pointer;
  readonly intercepts = 0;
  readonly #tasks: ResidentTasks;
  readonly #data: TaskSet;
  readonly #clip: Clip;
  readonly #step: LocalStep;
  readonly #broadcastLength: number;
  readonly #upload: Pointer;
  readonly #previous: Float64Array;

  constructor(
    tasks: ResidentTasks,
    data: TaskSet,
    { clip, step, initial, broadcastLength }: CustomStepsOptions,
  ) {
    const { arena } = tasks.core;
    this.m = tasks.m;
    this.uploadLength = tasks.d;
    this.#tasks = tasks;
    this.#data = data;
    this.#clip = clip;
    this.#step = step;
    this.#broadcastLength = broadcastLength;
    this.weights = arena.copyOf(initial);
    this.#upload = arena.f64(initial.length);
    this.#previous = initial.slice();
  }

  upload(): Pointer {
    const { kernels } = this.#tasks.core;
    kernels.clipRows(this.weights, this.#upload, this.m, this.uploadLength, clipNow(this.#clip));
    return this.#upload;
  }

  receive(broadcast: Pointer, round: number): void {
    const { core } = this.#tasks;
    const { m, uploadLength: d } = this;
    const { offsets, names } = this.#data;
    const own = (at: Pointer, from: number, to: number) => core.arena.view(at, to).slice(from, to);
    for (let i = 0; i < m; i++) {
      const [from, to] = [offsets[i]!, offsets[i + 1]!];
      const model = own(this.weights, i * d, (i + 1) * d);
      const answer = this.#step({
        round,
        index: i,
        task: names[i]!,
        broadcast: own(broadcast, 0, this.#broadcastLength),
        upload: own(this.#upload, i * d, (i + 1) * d),
        model,
        previous: this.#previous.slice(i * d, (i + 1) * d),
        x: own(this.#tasks.x, from * d, to * d),
        y: own(this.#tasks.y, from, to),
      });
      const next = answerOf(`step: the new model of task ${JSON.stringify(names[i])}`, answer, d);
      this.#previous.set(model, i * d);
      core.arena.view(this.weights, m * d).set(next, i * d);
    }
  }
}
