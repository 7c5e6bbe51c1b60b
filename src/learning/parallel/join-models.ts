/**
 * The models of consecutive batches of tasks as those of one.
 * @module
 */
import type { Component } from "../fitted/model-state.js";
import type { BatchModels } from "../round/halves.js";
import type { Finished } from "./messages.js";

/**
 * Puts batches together, in their order.
 * @param byTask components with a row for each task; of the others the first batch's are taken, since all say the same.
 */
export function joinModels(
  batches: readonly Finished[],
  byTask: readonly string[],
): { models: BatchModels; losses: Float64Array<ArrayBuffer> } {
  const all = batches.map(({ models }) => models);
  const [first] = all as [BatchModels];
  const components = Object.entries(first.components ?? {}).map(([name, component]) => {
    if (!byTask.includes(name)) return [name, component] as const;
    const parts = all.map((models) => models.components![name]!);
    return [name, joined(parts)] as const;
  });
  return {
    losses: concat(batches.map(({ losses }) => losses)),
    models: {
      ...first,
      weights: concat(all.map(({ weights }) => weights)),
      intercepts: first.intercepts && concat(all.map(({ intercepts }) => intercepts!)),
      ...(first.components ? { components: Object.fromEntries(components) } : {}),
    },
  };
}

function joined(parts: readonly Component[]): Component {
  const [, ...rest] = parts[0]!.shape;
  const rows = parts.reduce((sum, { shape }) => sum + shape[0]!, 0);
  return { shape: [rows, ...rest], data: concat(parts.map(({ data }) => data)) };
}

/** One after the other. */
function concat(parts: readonly Float64Array[]): Float64Array<ArrayBuffer> {
  const out = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
