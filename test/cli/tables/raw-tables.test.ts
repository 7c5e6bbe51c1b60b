import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { seededUniforms } from "../../../src/data/split/shuffle.js";
import { readCsv, type Table } from "../../../src/data/index.js";
import { SingleTask, type FittedModel } from "../../../src/learning/index.js";
import { predictTable } from "../../../src/model/index.js";
import { tasksFromTable } from "../../../src/data/index.js";
import { temporaryFolder } from "../../temporary.js";
import { run } from "../run.js";

const folder = temporaryFolder();
const path = (name: string) => join(folder, name);

/** Schools' pupils in raw units: y near 20 + 3 (age - 15) + 4 [ward = surg] + a school's own. */
function rows(seed: string, schools = 6, n = 14): (string | number)[][] {
  const uniform = seededUniforms("raw", seed);
  return Array.from({ length: schools * n }, (_, at) => {
    const school = at % schools;
    const age = 11 + 8 * uniform();
    const ward = uniform() > 0.5 ? "surg" : "med";
    const score = 20 + 3 * (age - 15) + (ward === "surg" ? 4 : 0) + school + uniform();
    return [`p${at}`, `s${school}`, score.toFixed(3), age.toFixed(3), ward];
  });
}

const header = ["pupil", "school", "score", "age", "ward"];
const csvOf = (cells: (string | number)[][]) =>
  [header, ...cells].map((line) => line.join(",")).join("\n");

const ranges = {
  format: "mp-mtl-schema",
  version: 1,
  task: "school",
  target: { column: "score", kind: "number", range: [0, 60], unit: "points" },
  columns: {
    pupil: { kind: "identifier" },
    age: { kind: "number", range: [10, 20], missing: "level" },
    ward: { kind: "binary", levels: ["med", "surg"], missing: { value: "med" } },
  },
};

beforeAll(() => {
  writeFileSync(path("train.csv"), csvOf(rows("a")));
  writeFileSync(path("test.csv"), csvOf(rows("b")));
  writeFileSync(path("ranges.json"), JSON.stringify(ranges));
});

const method = ["--method", "single-task", "--lambda", "1e-6", "--intercept", "yes"];

describe("a table with declared ranges", () => {
  test("goes raw from fit to predict, and comes back in its unit", async () => {
    const model = path("model");
    const files = ["--data", path("train.csv"), "--ranges", path("ranges.json")];
    const fitted = await run("fit", ...files, ...method, "--out", model, "--json");
    expect(fitted.code, fitted.err).toBe(0);
    const { code, out, err } = await run("predict", "--model", model, "--data", path("test.csv"));
    expect(code, err).toBe(0);
    const [first, ...lines] = out.trim().split("\n");
    expect(first).toBe("pupil,task,prediction");
    const truth = rows("b");
    expect(lines).toHaveLength(truth.length);
    lines.forEach((line, at) => {
      const [pupil, task, prediction] = line.split(",");
      expect([pupil, task]).toEqual(truth[at]!.slice(0, 2));
      // The noise is uniform on [0, 1]: a model of 14 rows a school is well within 2 points.
      expect(Math.abs(Number(prediction) - Number(truth[at]![2]))).toBeLessThan(2);
    });
  });

  test("accepts gaps and values outside, and says so to whoever predicts", async () => {
    writeFileSync(
      path("new.csv"),
      "pupil,school,age,ward\nq1,s1,,surg\nq2,s2,99,med\nq3,s3,15,other\n",
    );
    const args = ["--model", path("model"), "--data", path("new.csv")];
    const refused = await run("predict", ...args);
    expect(refused.err).toContain('line 4, column "ward": the value is not one of the 2 known');
    expect([refused.code, refused.err.includes("other")]).toEqual([3, false]);
    writeFileSync(path("new.csv"), "pupil,school,age,ward\nq1,s1,,surg\nq2,s2,99,\n");
    const { code, out } = await run("predict", ...args, "--json");
    expect(code).toBe(0);
    const { notes, predictions } = JSON.parse(out) as { notes: string[]; predictions: object[] };
    expect(notes).toEqual([
      'column "age": 1 value too far outside the declared range, held nearer',
    ]);
    expect(predictions[1]).toMatchObject({ row: 1, task: "s2", id: { pupil: "q2" } });
  });

  test("says how many values lie outside a range before errors are wondered at, in a fit and in inspect", async () => {
    const narrow = { ...ranges, target: { ...ranges.target, range: [20, 21] } };
    writeFileSync(path("narrow.json"), JSON.stringify(narrow));
    const files = ["--data", path("train.csv"), "--ranges", path("narrow.json")];
    const scores = rows("a").map((cells) => Number(cells[2]));
    const beyond = scores.filter((score) => score < 20 || score > 21).length;
    // A whole width beyond either end is kept.
    const held = scores.filter((score) => score < 19 || score > 22).length;
    expect(held).toBeGreaterThan(1);
    expect(beyond).toBeGreaterThan(held);
    const fitted = await run("fit", ...files, ...method, "--json");
    const { notes } = JSON.parse(fitted.out) as { notes: string[] };
    const line = `column "score": ${held} values too far outside the declared range, held nearer`;
    expect(notes.filter((note) => note.startsWith(line))).toHaveLength(1);
    const seen = await run("inspect", ...files, "--json");
    const { columns } = JSON.parse(seen.out) as {
      columns: { name: string; outside: number; use: string }[];
    };
    const score = columns.find(({ name }) => name === "score")!;
    expect([
      score.outside,
      score.use.includes(`${beyond} values outside it, of which ${held} too far`),
    ]).toEqual([beyond, true]);
    // A count of all tasks' rows is paid for by nobody: beside a guarantee that is said.
    const uncharged = 'what "data" above counts, for the curator only';
    const hidden = await run("fit", ...files, "--method", "mp-low-rank", "--rounds", "1");
    expect(hidden.out).toContain(line);
    expect(hidden.out).toContain(uncharged);
    const open = await run("fit", ...files, ...method);
    expect(open.out).not.toContain(uncharged);
    const wide = await run("fit", "--data", path("train.csv"), "--ranges", path("ranges.json"), ...method); // prettier-ignore
    expect(wide.out).not.toContain("outside");
  });

  test("private fits list nothing of what was declared", async () => {
    const budget = ["--epsilon", "1", "--feature-bound", "3", "--rounds", "2"];
    const files = ["--data", path("train.csv"), "--json"];
    const fit = async (...more: string[]) => {
      const result = await run("fit", ...files, "--method", "mp-low-rank", ...budget, ...more);
      expect(result.code, result.err).toBe(0);
      return (JSON.parse(result.out) as { guarantee: { notCharged: string[] } }).guarantee
        .notCharged;
    };
    const figures = ["objective", "rank", "nonzeroRows", "weightsNorm", "train", "test"];
    expect(await fit("--ranges", path("ranges.json"))).toEqual(figures);
    const roles = ["--task", "school", "--target", "score", "--normalize", "rows"];
    expect((await fit(...roles)).join("\n")).toMatch(/kinds of the columns "pupil", "age", "ward"/);
  });

  test("task and target may be named by the schema, must be named somewhere", async () => {
    const { code, err } = await run("fit", "--data", path("train.csv"), ...method);
    expect([code, err]).toEqual([2, expect.stringContaining("--task is needed.")]);
    writeFileSync(path("broken.json"), "{");
    const broken = ["--data", path("train.csv"), "--ranges", path("broken.json")];
    const refused = await run("fit", ...broken, ...method);
    expect([refused.code, refused.err]).toEqual([
      3,
      expect.stringContaining("not JSON from line 1 on"),
    ]);
  });
});

describe("held-out rows", () => {
  test("--test-fraction scores on what split would have written", async () => {
    const roles = ["--task", "school", "--target", "score"];
    const data = ["--data", path("train.csv"), "--task", "school"];
    const split = await run("split", ...data, "--test-fraction", "0.4", "--out", path("parts"));
    expect(split.code, split.err).toBe(0);
    // The task may stand in a schema as well.
    const schema = { format: "mp-mtl-schema", version: 1, task: "school" };
    writeFileSync(path("task-only.json"), JSON.stringify(schema));
    const named = [...data.slice(0, 2), "--ranges", path("task-only.json")];
    const same = await run("split", ...named, "--test-fraction", "0.4", "--out", path("same"));
    expect(same.code, same.err).toBe(0);
    const rows = (folder: string) => readFileSync(path(`${folder}/train.csv`), "utf8");
    expect(rows("same")).toBe(rows("parts"));
    const unnamed = await run("split", ...data.slice(0, 2), "--out", path("none"));
    expect(unnamed.err).toMatch(/--task is needed/);
    const features = ["--features", "age,ward"];
    const parts = ["--data", path("parts/train.csv"), "--test", path("parts/test.csv")];
    const one = await run("fit", ...parts, ...roles, ...features, ...method, "--json");
    const whole = ["--data", path("train.csv"), "--test-fraction", "0.4"];
    const other = await run("fit", ...whole, ...roles, ...features, ...method, "--json");
    // The files have the tasks in another order, and so the sums.
    const scores = [one, other].map(
      ({ out }) => (JSON.parse(out) as { test: { nmse: number; nmsePerTask: number } }).test,
    );
    expect(scores[0]!.nmse).toBeCloseTo(scores[1]!.nmse, 12);
    expect(scores[0]!.nmsePerTask).toBeCloseTo(scores[1]!.nmsePerTask, 12);
    const both = await run("fit", ...parts, ...roles, ...method, "--test-fraction", "0.4");
    expect([both.code, both.err]).toEqual([2, expect.stringContaining("exclude each other")]);
  });

  test("split writes all cells as they were, an unnamed first column included", async () => {
    writeFileSync(path("index.csv"), ',task,note\n1,a,"x, y"\n2,a,NA\n3,b,z\n4,b,=1\n');
    const out = path("indexed");
    const { code } = await run(
      "split",
      "--data",
      path("index.csv"),
      "--task",
      "task",
      "--out",
      out,
    );
    expect(code).toBe(0);
    const texts = ["train", "test"].map((name) => readFileSync(join(out, `${name}.csv`), "utf8"));
    for (const text of texts) expect(text.split("\n")[0]).toBe(",task,note");
    const lines = texts.flatMap((text) => text.trim().split("\n").slice(1)).sort();
    expect(lines).toEqual(['1,a,"x, y"', "2,a,", "3,b,z", "4,b,=1"]);
  });
});

describe("inspect", () => {
  test("prints what is there and drafts a schema that fit takes", async () => {
    const draft = path("draft.json");
    const roles = ["--task", "school", "--target", "score"];
    const look = await run("inspect", "--data", path("train.csv"), ...roles, "--out", draft);
    expect(look.code, look.err).toBe(0);
    expect(look.out).toContain("84 rows, 6 tasks of 14 rows\n");
    expect(look.out).toContain('remove "declared": false from what you vouch for');
    expect(look.out).toMatch(/pupil +text +84 +left out: too many different texts/);
    const files = ["--data", path("train.csv"), "--json", ...method];
    const [plain, drafted] = await Promise.all([
      run("fit", ...files, ...roles),
      run("fit", ...files, "--ranges", draft),
    ]);
    const train = [plain, drafted].map(({ out }) => (JSON.parse(out) as { train: unknown }).train);
    expect(train[0]).toEqual(train[1]);
  });
});

test("inspect says which columns it has to be told, and what to ask next in words that the next command takes", async () => {
  const data = ["--data", path("train.csv")];
  const bare = await run("inspect", ...data);
  expect(bare.out).toMatch(/next, to see what a fit would do: --task COLUMN.*; --target COLUMN/);
  const tasked = await run("inspect", ...data, "--task", "school");
  expect(tasked.out).toContain("next, to see what a fit would do: --target COLUMN");
  const { out } = await run("inspect", ...data, "--task", "school", "--target", "score");
  expect(out).toMatch(/school +text +6 +the task/);
  const command = /which costs nothing: mp-mtl (account .*)$/m.exec(out)![1]!;
  const asked = await run(...command.split(" "));
  expect(asked.code, asked.err).toBe(0);
  expect(asked.out).toContain("each of 6 tasks");
});

test("inspect names numbers with decimal commas before anyone says what columns are for", async () => {
  writeFileSync(path("commas.csv"), "site;a;b\ns;1,5;x\ns;2;y\nt;-3,25;x\n");
  const { out } = await run("inspect", "--data", path("commas.csv"), "--delimiter", ";");
  expect(out).toMatch(/a +text .* numbers with decimal commas, which are read with --decimal ","/);
});

describe("a target that is no number", () => {
  test("is named with the flags that fit it", async () => {
    writeFileSync(path("labels.csv"), "task,y,u\na,low,1\na,mid,2\nb,high,3\nb,low,4\n");
    const data = ["--data", path("labels.csv"), "--task", "task", "--target", "y"];
    const asked = await run("fit", ...data, ...method, "--loss", "squared");
    expect(asked.err).toContain('line 2, column "y": expected a finite number');
    expect(asked.err).toContain("--loss logistic (two) or softmax (several)");
    const followed = await run("fit", ...data, "--method", "single-task", "--json");
    expect(JSON.parse(followed.out)).toMatchObject({ loss: "softmax" });
  });

  test("a slip in a column of numbers is not hundreds of classes", async () => {
    const slip = csvOf(rows("a")).replace(/\n(p7,s1),[\d.]+/, "\n$1,l2.5");
    writeFileSync(path("slip.csv"), slip);
    const data = ["--data", path("slip.csv"), "--task", "school", "--target", "score"];
    for (const command of [
      ["fit", ...data, ...method],
      ["evaluate", ...data, "--out", path("never")],
    ]) {
      const { code, err } = await run(...command);
      expect(err).toContain(
        'slip.csv, line 9, column "score": expected a finite number as in most',
      );
      expect([code, err.includes("l2.5")]).toEqual([3, false]);
    }
  });
});

describe("predict", () => {
  test("gives the probabilities of all classes, and no cell that a spreadsheet would run", async () => {
    const cells = rows("c").map(([, school, score, age]) => {
      const label = Number(score) > 22 ? "=cmd|' /C calc'!A0" : "-1";
      return [`@${String(school)}`, label, age].join(",");
    });
    writeFileSync(path("bad.csv"), ["task,y,age", ...cells].join("\n"));
    const data = ["--data", path("bad.csv"), "--task", "task", "--target", "y"];
    const fitted = await run("fit", ...data, "--method", "single-task", "--out", path("bad"));
    expect(fitted.code, fitted.err).toBe(0);
    const { out } = await run("predict", "--model", path("bad"), "--data", path("bad.csv"));
    const [first, ...lines] = out.trim().split("\n");
    expect(first).toContain("probability=-1");
    for (const line of lines) {
      const table = line.split(",");
      expect(Number(table.at(-1)) + Number(table.at(-2))).toBeCloseTo(1, 12);
      expect(table[0]).toMatch(/^'@s\d$/);
      expect(table[2]).toMatch(/^(-1|'=cmd)/);
    }
  });

  const fitSmall = async (): Promise<{ model: FittedModel; table: Table }> => {
    const table = await readCsv(csvOf(rows("a")), { name: "t.csv" });
    const { tasks } = tasksFromTable(table, {
      task: "school",
      target: "score",
      features: ["age"],
      kinds: { age: { kind: "number", range: [10, 20] } },
    });
    return { model: await new SingleTask().fit(tasks), table };
  };

  test("refuses tasks that a model does not know and intervals that it does not give, by the remedy", async () => {
    const { model } = await fitSmall();
    const table = await readCsv("school,age\nnew,12\n", { name: "new.csv" });
    expect(() => predictTable(model, table)).toThrow(
      'task "new" is not among the 6 tasks that the model was fitted on, and a model of single-task',
    );
    expect(() => predictTable(model, table, { interval: 0.8 })).toThrow("gives no intervals");
  });

  test("serves new tasks and intervals of models that have them", async () => {
    const { model } = await fitSmall();
    const seen: (string | null)[] = [];
    const able = Object.assign(model, {
      predictNew: (x: Float64Array) => x.map((value) => 100 + value),
      predictInterval: (task: string | null, x: Float64Array) => {
        seen.push(task);
        return { lower: x.map(() => -1), upper: x.map(() => 1) };
      },
    });
    const table = await readCsv("school,age\nnew,20\ns1,15\n", { name: "new.csv" });
    const { predictions, newTasks } = predictTable(able, table, { interval: 0.8 });
    expect(predictions[0]).toMatchObject({ task: "new", prediction: 101, lower: -1, upper: 1 });
    expect(predictions[1]!.prediction).toBe(model.predict("s1", Float64Array.of(0))[0]);
    expect([newTasks, seen]).toEqual([["new"], [null, "s1"]]);
  });
});

test("tasks that may be one owner are named before a guarantee is taken for that owner's", async () => {
  const twice = rows("a").map((cells) => cells.map((cell) => (cell === "s1" ? "S 0" : cell)));
  writeFileSync(path("twice.csv"), csvOf(twice));
  const files = ["--data", path("twice.csv"), "--ranges", path("ranges.json")];
  const words =
    'the tasks "s0" and "S 0" differ in capitals, blanks, leading zeros or the form of accents only';
  const looked = await run("inspect", ...files);
  expect(looked.out).toContain(`a fit would ask: ${words}`);
  const fitted = await run("fit", ...files, "--method", "mp-mixed", "--epsilon", "1");
  expect(fitted.out).toContain(`data: ${words}`);
  const streamed = ["--method", "mp-mixed", "--stream", "yes", "--epsilon", "1"];
  const read = await run("fit", ...files, ...streamed);
  expect(read.out, read.err).toContain(`data: ${words}`);
});

test("--model that is no directory of a model says what was expected", async () => {
  const named = await run("predict", "--model", "data", "--data", path("test.csv"));
  expect(named.err).toContain('predict: "data": expected the directory that fit --out wrote');
  for (const model of [path("nothing"), path("train.csv")]) {
    const { code, err } = await run("predict", "--model", model, "--data", path("test.csv"));
    expect(code).toBe(3);
    expect(err).toContain(
      "expected the directory that fit --out wrote, found no model.safetensors",
    );
  }
});
