/**
 * The exchange around a public model: tasks subtract its predictions from their targets, so that every release is of
 * differences from it, and add it to what they end with. Learning alone is then around it or around 0, as a task's own
 * rows say, so that a public model that is wrong does little harm. A task's upload is still a function of its own rows and of
 * what is public, so bounds and charges are the same.
 * @module
 */
import { apply } from "../../../linalg/small-matrices.js";
import type { CommonWork } from "../../round/common-work.js";
import type { MixedExchange, MixedModels } from "./exchange.js";
import type { TaskRows } from "./spectra/task-spectrum.js";

export class CentredExchange implements MixedExchange {
  readonly #inner: MixedExchange;
  readonly #center: Float64Array;

  /**
   * @param center the public model, [d], in the units of the rows.
   * @param make   the exchange of the rows with what is left of their targets.
   */
  constructor(rows: TaskRows, center: Float64Array, make: (rows: TaskRows) => MixedExchange) {
    const predicted = apply(rows.x, center, rows.y.length, center.length);
    this.#inner = make({ ...rows, y: rows.y.map((value, row) => value - predicted[row]!) });
    this.#center = center;
  }

  upload(release: number): Float64Array {
    return this.#inner.upload(release);
  }

  common(release: number): CommonWork | undefined {
    return this.#inner.common?.(release);
  }

  receive(release: number, sum: Float64Array, deviation: number): void {
    this.#inner.receive(release, sum, deviation);
  }

  solve(): MixedModels {
    const { models, prior, ...rest } = this.#inner.solve(this.#center.map((value) => -value));
    const center = this.#center;
    const d = center.length;
    const moved = (all: Float64Array) => all.map((value, at) => value + center[at % d]!);
    return {
      ...rest,
      models: moved(models),
      prior: {
        ...prior,
        fixedEffects: moved(prior.fixedEffects),
        stated: () => {
          const { statedEffects, ...error } = prior.stated();
          return { ...error, ...(statedEffects && { statedEffects: moved(statedEffects) }) };
        },
      },
    };
  }
}
