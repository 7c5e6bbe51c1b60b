/**
 * Models are the same bits whether or not memory had to grow for them: it does in a process's first fit, or a thread's, and not in
 * the next. A view of it that is kept where it grows reads nothing and writes nowhere.
 */
import { afterEach, describe, expect, test, vi } from "vitest";
import { Arena } from "../../../src/core/arena.js";
import { isPrivateMethod, makeEstimator, METHOD_NAMES } from "../../../src/learning/index.js";
import { METHODS } from "../../../src/learning/methods.js";
import type { AnyDeclarations } from "../../../src/learning/options/option.js";
import { thorough } from "../../thorough.js";
import { makeClasses, makeLabelled, makeTasks } from "../tasks.js";

const SIZES = { m: 5, d: 4, rows: (i: number) => 4 + 2 * i };
const SETS = {
  squared: makeTasks(SIZES),
  logistic: makeLabelled(SIZES),
  softmax: makeClasses({ ...SIZES, classes: 3 }),
};
type Loss = keyof typeof SETS;

/** What memory is made to grow to: views of more than that are few. */
const MOST = 2 ** 30;

/** How often memory grows in a fit: each time whoever holds a view of it is looked for, which takes milliseconds. */
const TIMES = 60;

/** Has memory grow with every block that is taken, or every so many of more than `TIMES`: others of each round, whose blocks are the same. */
function growing(blocks: number): void {
  const { bytes } = Arena.prototype;
  // An odd number comes to all blocks of rounds in turn unless theirs is a multiple of it.
  const every = 2 * Math.floor(Math.ceil(blocks / TIMES) / 2) + 1;
  let taken = 0;
  vi.spyOn(Arena.prototype, "bytes").mockImplementation(function (this: Arena, size, what) {
    const { byteLength } = this.view(0, 0).buffer;
    if (taken++ % every === 0 && byteLength < MOST) {
      const mark = this.mark();
      bytes.call(this, byteLength - mark + 1);
      this.release(mark);
    }
    return bytes.call(this, size, what);
  });
}

afterEach(() => {
  vi.restoreAllMocks();
});

function lossesOf(method: string): Loss[] {
  const { loss } = METHODS.find(({ name }) => name === method)!.options as AnyDeclarations;
  return (Object.keys(SETS) as Loss[]).filter((one) => loss!.words!.includes(one));
}

const all = METHOD_NAMES.flatMap((method) => lossesOf(method).map((loss) => [method, loss] as const)); // prettier-ignore

/** Where a kept view once gave other bits, as in mp-hierarchical; all where all are asked for. */
const BROKEN = "mp-feature-learning";
const cases = all.filter(
  ([method, loss]) => thorough || (method === BROKEN && loss === "logistic"),
);

describe.each(cases)("%s, %s", (method, loss) => {
  test("memory that grows leaves the bits as they are", async () => {
    const random = { random: { mode: "seeded", seed: "grow" }, delta: 1e-3 };
    const options = {
      loss,
      ...(isPrivateMethod(method) ? random : {}),
      ...(method === "mp-mixed" ? { scale: "unit" } : {}),
    };
    const fit = async () => {
      const { weights, intercepts, components } = await makeEstimator(method, options).fit(SETS[loss]); // prettier-ignore
      return { weights, intercepts, components };
    };
    const counted = vi.spyOn(Arena.prototype, "bytes");
    const settled = await fit();
    const blocks = counted.mock.calls.length;
    counted.mockRestore();
    growing(blocks);
    expect(await fit()).toEqual(settled);
  });
});
