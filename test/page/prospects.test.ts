/** What the page says of a budget before a fit: what `account` says of the same sizes. */
import { expect, test } from "vitest";
import { prospectsWords } from "../../page/src/text/prospects-words.js";
import { loadBuiltIn } from "../../page/src/work/built-in.js";
import { withSizes } from "../../page/src/work/sizes.js";
import { loadTable } from "../../page/src/work/table.js";
import type { TableChoice } from "../../page/src/work/messages.js";
import { main } from "../../src/cli/run.js";
import { testIo } from "../cli/io.js";

/** A table of so many clinics with six rows each, half of which are for tests. */
const clinics = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    Array.from({ length: 6 }, (_, k) => `c${i},${20 + 7 * k},${i + k},${(i + k) % 2}`),
  ).flat();

const sizesOf = async (choice: Partial<TableChoice>, count = 40) => {
  const text = ["clinic,age,dose,y", ...clinics(count)].join("\n");
  const loaded = await loadTable({
    file: { name: "t.csv", bytes: new TextEncoder().encode(text).buffer as ArrayBuffer },
    choice: {
      task: "clinic",
      target: "y",
      features: ["age", "dose"],
      categorical: [],
      loss: "squared",
      levelsPublic: true,
      scaling: "method",
      rangesFrom: "none",
      ranges: {},
      ...choice,
    },
    split: 0,
  });
  return withSizes(loaded).sizes;
};

test("the sizes of a table: tasks, features, training rows, classes, and columns that nobody declared", async () => {
  const some = { rangesFrom: "stated", ranges: { age: [0, 80] } } as const;
  const sizes = { m: 40, d: 2, rowsPerTask: 3 };
  expect(await sizesOf({})).toEqual({ ...sizes, undeclared: 3 });
  expect(await sizesOf(some)).toEqual({ ...sizes, undeclared: 2 });
  // Labels have no size.
  expect(await sizesOf({ ...some, loss: "logistic" })).toEqual({
    ...sizes,
    classes: 2,
    undeclared: 1,
  });
  const { sizes: schools } = withSizes(loadBuiltIn({ name: "schools", split: 0 }));
  expect(schools).toMatchObject({ m: 160, d: 14, undeclared: 0 });
});

async function account(...flags: string[]): Promise<string> {
  const io = testIo();
  expect(await main(["account", ...flags], io)).toBe(0);
  return io.out();
}

const FLAGS = "--features 2 --rows 3".split(" ");

test.each([
  ["declared", 0, "--declared", "yes"],
  ["undeclared", 3, "--declared", "no"],
])("of %s columns it is the line that account prints", async (_, undeclared, ...declared) => {
  for (const [m, epsilon] of [
    [40, 1],
    [3, 0.3],
    [4000, 12],
  ] as const) {
    const asked = ["--tasks", String(m), "--epsilon", String(epsilon), ...FLAGS, ...declared];
    const said = (await account(...asked)).toLowerCase();
    const sizes = { m, d: 2, rowsPerTask: 3, undeclared };
    const words = prospectsWords(sizes, { method: "auto", epsilon, delta: "auto" });
    expect(words[0]).toMatch(/^At .* is expected to buy about \d+ %/);
    expect(words.length).toBe(m === 40 ? 1 : 2);
    for (const sentence of words) expect(said).toContain(sentence.slice(0, -1).toLowerCase());
  }
});

test("of labels, too; a method that learns no sizes spends nothing on them; pure differential privacy has no figure", async () => {
  const asked = { method: "mp-mixed", epsilon: 3, delta: 1e-5 };
  const labels = { m: 300, d: 2, rowsPerTask: 3, classes: 2, undeclared: 2 };
  const flags = [...FLAGS, ..."--tasks 300 --epsilon 3 --delta 1e-5 --loss logistic".split(" ")];
  const said = await account(...flags, "--declared", "no");
  expect(said).toContain(prospectsWords(labels, asked)[0]!.slice(1, -1));
  const without = prospectsWords(labels, { ...asked, method: "pmtl" });
  expect(without[0]).not.toContain("nobody declared");
  expect(without).toEqual(prospectsWords({ ...labels, undeclared: 0 }, asked));
  expect(prospectsWords(labels, { ...asked, delta: 0 })).toEqual([]);
});
