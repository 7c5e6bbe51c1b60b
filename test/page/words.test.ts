/**
 * What the page says: the parts that need no browser.
 */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { makeUp } from "../../page/src/data/made-up.js";
import { SCHOOLS } from "../../page/src/data/plans.js";
import { budgetWords } from "../../page/src/text/budget-words.js";
import { guaranteeWords } from "../../page/src/text/guarantee-words.js";
import { fitCode } from "../../page/src/text/code.js";
import {
  featureColumns,
  guessLoss,
  guessTarget,
  guessTask,
} from "../../page/src/text/guess-columns.js";
import { METHODS } from "../../page/src/text/methods.js";
import { metricOf } from "../../page/src/text/metrics.js";
import {
  oddsFactor,
  oneIn,
  percentAbove,
  short,
  shortPromise,
  shortProven,
} from "../../page/src/text/numbers.js";
import { isPrivateMethod, makeEstimator, MpLowRank } from "../../src/learning/index.js";
import { methodNamed } from "../../src/learning/methods.js";
import { TaskSet } from "../../src/data/index.js";
import { makeTasks } from "../learning/tasks.js";

/** The page's own sources, by name. */
const sources = () => {
  const root = new URL("../../page/src/", import.meta.url);
  const names = readdirSync(root, { recursive: true, encoding: "utf8" });
  const modules = names.filter((name) => /\.tsx?$/.test(name));
  return modules.map((name) => [name, readFileSync(new URL(name, root), "utf8")] as const);
};

describe("numbers", () => {
  test("an epsilon that is not called nominal is nowhere rounded to the nearest, which may be below it", () => {
    const nearest =
      /(?<!nominal |print )epsilon(?: of)? \$?\{(?:" "\}\s*\{)?short\(|epsilon\{" "\}\s*\{short\(/;
    const found = sources().filter(([, text]) => nearest.test(text));
    expect(found.map(([name]) => name)).toEqual([]);
    expect("for epsilon {short(1.234)}").toMatch(nearest);
  });

  test("are short, and never make a promise look better", () => {
    expect([0.03391, 1234.5, 64001, 5.417e-4, 0, NaN].map(short)).toEqual([
      "0.0339",
      "1230",
      "64,000",
      "5.4·10⁻⁴",
      "0",
      "–",
    ]);
    expect([1.234, 0.1, 5.417e-4].map(shortPromise)).toEqual(["1.24", "0.1", "5.5·10⁻⁴"]);
    expect([1.236, 0.1, 5.477e-4].map(shortProven)).toEqual(["1.23", "0.1", "5.4·10⁻⁴"]);
    expect(oneIn(1 / 1846)).toBe("1 in 1,800");
    expect(oneIn(1e-5)).toBe("1 in 100,000");
    expect([0.0949, 0.471, 0.00012].map(percentAbove)).toEqual(["9.5 %", "48 %", "0.012 %"]);
    expect([0.1, 1, 3, 10, 50].map(oddsFactor)).toEqual([
      "1.3",
      "3.1",
      "23",
      "25,000",
      "more than a million",
    ]);
  });
});

test("what a budget would promise is not said of a seed, or of noise that does not hold", () => {
  const settings = { adjacency: "replace", mechanism: "auto", seed: "" } as const;
  expect(budgetWords(settings)).toMatch(/^Whatever others believe about one task, all they/);
  expect(budgetWords({ ...settings, adjacency: "zero-out" })).toMatch(/^Whether one task/);
  expect(budgetWords({ ...settings, seed: "7" })).toMatch(/^With a seed no one is protected/);
  for (const seed of ["", "7"])
    expect(budgetWords({ ...settings, mechanism: "wishart", seed })).toMatch(/does not hold/);
});

test("the same fit in code names what is set and no seed", () => {
  const options = { epsilon: 1, delta: "auto", random: { mode: "seeded", seed: "s3cret" } };
  expect(fitCode("mp-low-rank", options)).toBe(
    [
      'import { makeEstimator } from "mp-mtl";',
      "",
      'const model = await makeEstimator("mp-low-rank", {',
      "  epsilon: 1,",
      '  random: { mode: "seeded", seed },',
      "}).fit(tasks);",
    ].join("\n"),
  );
});

describe("the guarantee in words", () => {
  const tasks = TaskSet.from(
    ["a", "b", "c"].map((name) => ({
      name,
      x: [
        [1, 0],
        [0, 1],
      ],
      y: [1, 2],
    })),
  );
  const words = async (options: ConstructorParameters<typeof MpLowRank>[0]) => {
    const { guarantee } = await new MpLowRank({ rounds: 2, delta: 1e-3, ...options }).fit(tasks);
    return guaranteeWords(guarantee);
  };

  test("says what holds, from whom, how well and what is not covered", async () => {
    const { verdict, headline, statements } = await words({ epsilon: 1 });
    expect(verdict).toBe("holds");
    expect(headline).toBe("The guarantee holds: epsilon 1, delta 0.001.");
    const text = statements.map((statement) => statement.text).join(" ");
    // Of Gaussian noise the factor is above e^1 far more often than with probability delta.
    expect(text).toMatch(/factor of at most 3\.1 .* at most 1 in 100 \(ten times delta\)/);
    expect(text).toMatch(/curator, who adds the noise, sees/);
    expect(text).toMatch(/training objective.*nobody paid for/);
  });

  test("does not call the curator's what every model tells", async () => {
    const { guarantee } = await new MpLowRank({ rounds: 2, delta: 1e-3, epsilon: 1 }).fit(tasks);
    const learned = 'levels of the column "ward" observed over all tasks';
    const notCharged = [...guarantee.notCharged, learned];
    const textOf = (given: typeof guarantee) =>
      guaranteeWords(given).statements.find(({ title }) => title === "Not paid for")!.text;
    const text = textOf({ ...guarantee, notCharged });
    expect(text).toMatch(/Every task's model tells .*: levels of the column "ward"/);
    expect(text.slice(0, text.indexOf("Every task's model"))).not.toContain("ward");
    expect(textOf(guarantee)).not.toContain("Every task's model");
  });

  test("of a task that contributes nothing in the other world it says no more", async () => {
    const { statements } = await words({ epsilon: 1, adjacency: "zero-out" });
    const text = statements.map((statement) => statement.text).join(" ");
    expect(text).toMatch(
      /contributed nothing, .* factor of at most 3\.1 .* what its data are .* more/,
    );
    expect(text).not.toMatch(/Whatever someone believes/);
  });

  test("never says that the papers' noise or a seeded run protects anyone", async () => {
    const random = { mode: "seeded", seed: "s" } as const;
    const papers = await words({ epsilon: 1, mechanism: "wishart", delta: 0 });
    expect(papers.verdict).toBe("does-not-hold");
    expect(papers.headline).toMatch(/^DOES NOT HOLD/);
    expect(papers.statements[0]!.title).toBe("What was meant to be protected");
    expect(papers.statements[2]!.text).toMatch(/chance of \d+ % or more/);
    const both = await words({ epsilon: 1, mechanism: "wishart", delta: 0, random });
    expect(both.verdict).toBe("does-not-hold");
    const seeded = await words({ epsilon: 1, random });
    expect(seeded.verdict).toBe("reproducible");
    expect(seeded.headline).toMatch(/not private/);
    expect(seeded.statements[2]!.text).toMatch(/^Not at all towards whoever has the seed/);
  });

  test("has nothing to promise without a guarantee", () => {
    const none = { kind: "none", private: false, why: "it has no noise" } as const;
    const { verdict, statements } = guaranteeWords(none);
    expect(verdict).toBe("none");
    // The link beside the verdict leads to these.
    expect(statements.map(({ title }) => title)).toEqual(["What is not protected"]);
  });
});

describe("columns of a table", () => {
  const column = (name: string, numeric: boolean, distinct: number, missing = 0) => ({
    name,
    numeric,
    distinct,
    missing,
    codes: [],
  });

  test("that are written otherwise than as numbers are doubted, with what to do", () => {
    const columns = [
      column("site", false, 12),
      { ...column("rebate", false, 20), written: "marked" as const },
      { ...column("day", false, 25), written: "dates" as const },
      { ...column("age", false, 25), codes: [{ value: "unknown", rows: 3 }] },
      { ...column("dose", true, 25), codes: [{ value: "-99", rows: 3 }] },
      column("y", true, 90),
    ];
    const found = featureColumns({ name: "t.csv", rows: 200, columns }, "site", "y");
    expect(found.map(({ doubt }) => doubt)).toEqual([
      expect.stringContaining("write the numbers alone"),
      expect.stringContaining("days since a fixed day"),
      expect.stringContaining("“unknown” is unlike its other values"),
      undefined, // asked about in words of its own
    ]);
  });

  test("are guessed by name, then by content", () => {
    const columns = [
      column("age", true, 60),
      column("hospital", false, 12),
      column("outcome", true, 2),
      column("ward", false, 4),
      column("remarks", false, 700),
    ];
    const summary = { name: "t.csv", rows: 1000, columns };
    expect(guessTask(summary)).toBe("hospital");
    expect(guessTarget(summary, "hospital")).toBe("outcome");
    const features = featureColumns(summary, "hospital", "outcome");
    expect(features).toEqual([
      { name: "age", used: true, categorical: false },
      { name: "ward", used: true, categorical: true },
      {
        name: "remarks",
        used: false,
        categorical: true,
        doubt: expect.stringContaining("text of more") as string,
      },
    ]);
    // Without a telling name the last of amounts, not a yes or no.
    const unnamed = columns.map((one) => (one.name === "outcome" ? { ...one, name: "v" } : one));
    expect(guessTarget({ ...summary, columns: unnamed }, "hospital")).toBe("age");
    const wishes = { age: false, remarks: true };
    const chosen = featureColumns(summary, "hospital", "outcome", wishes);
    expect(chosen.map(({ used }) => used)).toEqual([false, true, true]);
    expect(columns.map(guessLoss)).toEqual([
      "squared",
      "softmax",
      "logistic",
      "softmax",
      "softmax",
    ]);
  });
});

test("a made-up table is the same each time, whole, and of the sizes asked for", () => {
  const { header, rows } = makeUp(SCHOOLS);
  expect(makeUp(SCHOOLS).rows).toEqual(rows);
  expect(header).toHaveLength(2 + SCHOOLS.traits.length);
  expect(rows.every((row) => row.length === header.length)).toBe(true);
  const sizes = new Map<string, number>();
  for (const [school] of rows) sizes.set(school!, (sizes.get(school!) ?? 0) + 1);
  expect(sizes.size).toBe(SCHOOLS.tasks);
  expect(Math.min(...sizes.values())).toBeGreaterThanOrEqual(SCHOOLS.rows[0]);
  expect(Math.max(...sizes.values())).toBeLessThanOrEqual(SCHOOLS.rows[1]);
});

test("every method on offer is private and known to the library", () => {
  expect(new Set(METHODS.map(({ id }) => id)).size).toBe(METHODS.length);
  for (const { method } of METHODS) expect(isPrivateMethod(method)).toBe(true);
});

test.each(METHODS.map((entry) => [entry.id, entry] as const))(
  "what the page says of %s is what the library's descriptor says",
  async (_, { method, losses, mechanisms, options: settled, rounds, clips, lambda }) => {
    const { options } = methodNamed(method);
    expect(losses).toEqual(options["loss"]!.words);
    expect(clips ?? false).toBe(rounds !== undefined && "clip" in options);
    if (lambda !== undefined) expect(options).toHaveProperty("lambda");
    // Each kind of noise on offer goes with what is released, at a delta that it is for.
    const few = makeTasks({ m: 4, d: 3, rows: () => 6 });
    for (const mechanism of mechanisms) {
      for (const delta of [0, 0.01]) {
        const given = { ...settled, mechanism, delta, random: { mode: "seeded", seed: "page" } };
        const one = makeEstimator(method, {
          ...given,
          ...(rounds === undefined ? {} : { rounds: 1 }),
        });
        const fitted = await one.fit(few).then(
          (model) => model.guarantee.kind,
          (error: Error) => error.message,
        );
        if (fitted !== "joint") expect(fitted).toMatch(/^delta: expected delta > 0/);
      }
    }
  },
);

test("every method on offer has a title of its own", () => {
  expect(new Set(METHODS.map(({ title }) => title)).size).toBe(METHODS.length);
});

test("a share of right answers is told beside that of the most frequent one", () => {
  const read = (accuracy: number | null) =>
    metricOf("softmax").reading({ tasksLeftOut: 0, guessing: { accuracy, logLoss: accuracy } });
  expect(read(0.61)).toContain("always giving the most frequent answer reaches 0.61.");
  expect(read(null)).toBe("the share of right answers, averaged over tasks.");
});
