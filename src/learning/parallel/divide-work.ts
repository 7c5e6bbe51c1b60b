/**
 * Work that all threads of a fit need alike, divided among them.
 * @module
 */
import { sumOfParts, type CommonWork } from "../round/common-work.js";
import type { TaskWorker } from "../workers/task-worker.js";
import { allOf } from "./answers.js";
import type { CommonRequest } from "./messages.js";

/**
 * Has every thread work out its parts, and takes their sum on this one.
 * @param work as this thread has it; absent where there is none.
 * @param at   before what it is needed.
 * @param given `before`: the sum of other work, which workers have still to take.
 * @returns the sum, for the workers to take; null where there is no work.
 */
export async function divideWork(
  work: CommonWork | undefined,
  workers: readonly TaskWorker[],
  at: CommonRequest["at"],
  {
    before = null,
    signal,
  }: { readonly before?: Float64Array | null; readonly signal?: AbortSignal | undefined } = {},
): Promise<Float64Array | null> {
  if (!work) return null;
  const cut = (thread: number) => Math.round((work.parts * thread) / (workers.length + 1));
  const asked = workers.map((worker, k) => {
    const request: CommonRequest = {
      kind: "common",
      at,
      before,
      first: cut(k + 1),
      end: cut(k + 2),
    };
    return worker.ask<Float64Array>(request);
  });
  const own = work.compute(0, cut(1));
  const sum = sumOfParts(work, own, ...(await allOf(asked, signal)));
  work.take(sum);
  return sum;
}
