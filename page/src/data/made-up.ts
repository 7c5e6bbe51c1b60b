/**
 * Made-up tables that look like real ones: people of several institutions, whose outcomes depend on
 * their features in a way that is alike, but not the same, everywhere. Nothing in them was measured.
 * @module
 */
import { seededUniforms } from "../../../src/data/index.js";

/** A column of a made-up table: yes or no with a probability, or a number around a mean. */
export type Trait =
  | { readonly name: string; readonly kind: "yes-no"; readonly probability: number }
  | {
      readonly name: string;
      readonly kind: "number";
      readonly mean: number;
      readonly spread: number;
      /** As a user would state it. */
      readonly range: readonly [number, number];
    };

/** What is to be made up. */
export interface MadeUpPlan {
  readonly seed: string;
  readonly task: string;
  readonly tasks: number;
  /** Fewest and most rows of a task. */
  readonly rows: readonly [number, number];
  readonly target: string;
  /** Numbers around a mean, or one of two words. */
  readonly outcome:
    | {
        readonly kind: "number";
        readonly mean: number;
        readonly scale: number;
        readonly noise: number;
        readonly range: readonly [number, number];
      }
    | {
        readonly kind: "words";
        readonly words: readonly [string, string];
        readonly steepness: number;
      };
  readonly traits: readonly Trait[];
  /** How a trait counts everywhere, one for each trait. */
  readonly common: readonly number[];
  /** Directions in which tasks differ, each one number for each trait. */
  readonly directions: readonly (readonly number[])[];
  /** Spread of the tasks along the directions, and of their own levels. */
  readonly variation: number;
  readonly levels: number;
  /** How rows are scaled beyond the ranges. */
  readonly scaling: "method" | "standardize";
  /** A guess at the size of a model, for the methods that clip. */
  readonly clip: number;
}

/** Header and rows, as text. */
export interface MadeUpTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function normalsOf(uniform: () => number): () => number {
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** The table of a plan; the same plan gives the same table. */
export function makeUp(plan: MadeUpPlan): MadeUpTable {
  const uniform = seededUniforms(plan.seed, "made-up table");
  const normal = normalsOf(uniform);
  const {
    traits,
    outcome,
    rows: [least, most],
  } = plan;
  const rows: string[][] = [];
  for (let task = 1; task <= plan.tasks; task++) {
    const along = plan.directions.map(() => plan.variation * normal());
    const effects = plan.common.map((effect, j) =>
      plan.directions.reduce((sum, direction, k) => sum + along[k]! * direction[j]!, effect),
    );
    const level = plan.levels * normal();
    const count = least + Math.floor(uniform() * (most - least + 1));
    for (let row = 0; row < count; row++) {
      const drawn = traits.map((trait) => draw(trait, uniform, normal));
      const score = drawn.reduce((sum, { standard }, j) => sum + effects[j]! * standard, level);
      rows.push([
        `${plan.task} ${task}`,
        outcome.kind === "number"
          ? (outcome.mean + outcome.scale * (score + outcome.noise * normal())).toFixed(1)
          : outcome.words[uniform() < 1 / (1 + Math.exp(-outcome.steepness * score)) ? 1 : 0],
        ...drawn.map(({ text }) => text),
      ]);
    }
  }
  return { header: [plan.task, plan.target, ...traits.map(({ name }) => name)], rows };
}

function draw(trait: Trait, uniform: () => number, normal: () => number) {
  if (trait.kind === "yes-no") {
    const yes = uniform() < trait.probability;
    const spread = Math.sqrt(trait.probability * (1 - trait.probability));
    return { text: yes ? "1" : "0", standard: (Number(yes) - trait.probability) / spread };
  }
  const standard = normal();
  return { text: (trait.mean + trait.spread * standard).toFixed(1), standard };
}
