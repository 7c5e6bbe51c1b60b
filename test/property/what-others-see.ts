/**
 * What a change of one task must not move: other tasks' models, all that is published of a fit, and which method is taken.
 * @module
 */
import { Auto, type FittedModel } from "../../src/learning/index.js";
import type { Worlds } from "./configurations.js";
import { withoutTask } from "./sensitivity.js";

const bits = (values: Float64Array) =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString("hex");

/** What the other tasks are given. */
function handedOver({ changed }: Worlds, model: FittedModel) {
  const others = model.taskNames.filter((_, i) => i !== changed);
  return others.map((name) => {
    const own = model.forTask(name);
    // All of it as it is handed over, and the numbers to the last bit.
    return { own, weights: bits(own.weights), intercepts: own.intercepts && bits(own.intercepts) };
  });
}

/** Where nothing is shared, only what tasks are given must be the same: how long all took is for whoever has all rows. */
export function modelsAlone(worlds: Worlds, a: FittedModel, b: FittedModel): string[] {
  const [one, other] = [a, b].map((model) => JSON.stringify(handedOver(worlds, model)));
  return one === other ? [] : ["a task alone depends on others"];
}

/** What the other tasks may see of a model, and the curator may publish, must be the same. */
export function otherModels(worlds: Worlds, a: FittedModel, b: FittedModel): string[] {
  const { changed } = worlds;
  const seen = (model: FittedModel) => {
    const tasks = handedOver(worlds, model);
    const learned = Object.entries(model.components).map(([name, { shape, data }]) => {
      // One part a task: the changed one's is its own.
      const part = shape[0] === model.m ? data.length / model.m : 0;
      return [name, bits(part === 0 ? data : withoutTask(data, changed, part))];
    });
    // A replay's ledger holds all charges from the start, so what was spent by a round is not what it was.
    const history = model.history.map((entry) => ({ ...entry, epsilon: 0 }));
    const { rounds, options, protection, choice, classes } = model;
    return { tasks, learned, history, rounds, options, protection, choice, classes };
  };
  const [one, other] = [JSON.stringify(seen(a)), JSON.stringify(seen(b))];
  return one === other ? [] : ["the models of other tasks depend on more than the broadcasts"];
}

/** What `auto` would take, and the reason that it gives. */
export function choiceFaults(
  { present, neighbour }: Worlds,
  { loss = "squared", epsilon = 1 }: Record<string, unknown>,
): string[] {
  const auto = new Auto({ loss, epsilon } as ConstructorParameters<typeof Auto>[0]);
  const [one, other] = [auto.choose(present), auto.choose(neighbour)];
  return JSON.stringify(one) === JSON.stringify(other) ? [] : ["auto looks at rows"];
}
