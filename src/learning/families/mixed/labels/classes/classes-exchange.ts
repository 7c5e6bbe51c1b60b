/**
 * The private mixed model with several classes: of each against the rest a logistic one, all in the same rounds. What their
 * log-odds say together is in `fitted/posterior/posterior-mixture.ts`.
 * @see Rifkin and Klautau (2004), "In defense of one-vs-all classification".
 * @module
 */
import { classMu, classPlan } from "./classes-plan.js";
import { modelsAgainstPredicted } from "./against-predicted.js";
import { ofAllClasses } from "./classes-models.js";
import type { MixedExchange, MixedModels, MixedSizes } from "../../exchange.js";
import { LogisticExchange } from "../logistic-exchange.js";
import type { KnownColumns } from "../logistic-state.js";
import { againstOthers, type LogisticRows } from "../logistic-tasks.js";

export class ClassesExchange implements MixedExchange {
  readonly #classes: readonly LogisticExchange[];
  readonly #rows: LogisticRows;
  readonly #batch: number;
  /** sqrt(C). */
  readonly #root: number;

  /**
   * @param rows    those of the batch, with classes 0..C-1 as targets.
   * @param mu      budget of all classes together; Infinity without noise.
   * @param known   as `LogisticExchange` has it.
   * @param centers public models of each class against the rest, [C] of [d]; default none.
   */
  constructor(
    rows: LogisticRows,
    sizes: MixedSizes,
    mu: number,
    known: Omit<KnownColumns, "center"> = {},
    centers: readonly Float64Array[] = [],
  ) {
    const count = sizes.classes!;
    const plan = classPlan(sizes, mu);
    this.#root = Math.sqrt(count);
    this.#rows = rows;
    this.#batch = rows.offsets.length - 1;
    this.#classes = Array.from({ length: count }, (_, label) => {
      const against = againstOthers(rows, label);
      const own = { ...known, center: centers[label] };
      return new LogisticExchange(against, sizes, classMu(mu, count), plan, own);
    });
  }

  upload(release: number): Float64Array {
    const all = this.#classes.map((one) => one.upload(release));
    const length = all[0]!.length / this.#batch;
    const out = new Float64Array(all.length * all[0]!.length);
    all.forEach((uploads, label) =>
      uploads.forEach((value, at) => {
        const task = Math.floor(at / length);
        out[(task * all.length + label) * length + (at % length)] = value / this.#root;
      }),
    );
    return out;
  }

  receive(release: number, sum: Float64Array, deviation: number): void {
    const length = sum.length / this.#classes.length;
    const own = sum.map((value) => value * this.#root);
    this.#classes.forEach((one, label) =>
      one.receive(release, own.slice(label * length, (label + 1) * length), deviation * this.#root),
    );
  }

  solve(): MixedModels {
    const first = this.#classes.map((one) => one.solve());
    const own = modelsAgainstPredicted(this.#rows, first, (label, added) =>
      this.#classes[label]!.solveAgain(added, first[label]!),
    );
    return ofAllClasses(
      own.map((models, label) => ({ ...models, prior: first[label]!.prior })),
      this.#batch,
    );
  }
}
