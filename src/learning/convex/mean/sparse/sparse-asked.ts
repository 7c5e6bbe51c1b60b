/**
 * Questions to tasks with sparse rows, from the thread of the fit to whichever threads hold the tasks; answers come in the tasks' order.
 * @module
 */
import type { Core, Pointer } from "../../../../core/index.js";
import { valueOfSum } from "../../../../linalg/reproducible-sum.js";
import type { ParticipantHalf } from "../../../round/halves.js";
import type { Participants } from "../../../round/participants.js";
import { SPARSE_FIGURES, sparseQuestionLength } from "./sparse-questions.js";
import { sparseTotalLength, writeSums, type SparseSums } from "./sparse-totals.js";

/** What {@link SparseAsked} is made from. */
export interface SparseAskedParts {
  readonly core: Core;
  readonly m: number;
  readonly d: number;
  readonly lambda: number;
  /** The tasks (`meanBatches`). */
  readonly half: Pick<ParticipantHalf, "stages">;
  readonly signal: AbortSignal | undefined;
}

/** Asks all tasks of a fit. */
export class SparseAsked {
  readonly m: number;
  readonly d: number;
  readonly lambda: number;
  readonly #core: Core;
  readonly #signal: AbortSignal | undefined;
  readonly #questions: Participants;
  readonly #totals: Participants;
  readonly #question: Pointer;
  #asked = 0;

  constructor({ core, m, d, lambda, half, signal }: SparseAskedParts) {
    [this.m, this.d, this.lambda] = [m, d, lambda];
    [this.#core, this.#signal] = [core, signal];
    [this.#questions, this.#totals] = half.stages as [Participants, Participants];
    this.#question = core.arena.f64(Math.max(sparseQuestionLength(d), sparseTotalLength(d)));
  }

  /** Asks all tasks a question of `sparse-questions.ts`; answers are [m] for each figure. @param vectors [d] each, default zeros. */
  async ask(kind: number, ...vectors: readonly Float64Array[]): Promise<Float64Array[]> {
    const { arena } = this.#core;
    const question = arena.view(this.#question, sparseQuestionLength(this.d)).fill(0);
    question[0] = kind;
    vectors.forEach((vector, k) => question.set(vector, 1 + k * this.d));
    this.#questions.receive(this.#question, ++this.#asked, false);
    const round = this.#asked + 1;
    await this.#questions.prepare?.(round, undefined, this.#signal);
    const answers = arena.view(this.#questions.upload(round), this.m * SPARSE_FIGURES);
    return Array.from({ length: SPARSE_FIGURES }, (_, figure) => {
      const own = new Float64Array(this.m);
      for (let i = 0; i < this.m; i++) own[i] = answers[i * SPARSE_FIGURES + figure]!;
      return own;
    });
  }

  /** Sums over all tasks, [d] each. */
  async sums(asked: SparseSums): Promise<Float64Array[]> {
    const { arena } = this.#core;
    const { d } = this;
    writeSums(arena.view(this.#question, sparseTotalLength(d)), asked);
    this.#totals.receive(this.#question, 1, true);
    await this.#totals.prepare?.(1, undefined, this.#signal);
    const parts = this.#totals.total!(1);
    return asked.bounds.map((_, k) => valueOfSum(parts.subarray(2 * d * k, 2 * d * (k + 1))));
  }
}
