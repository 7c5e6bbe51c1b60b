/** Owners who come after a fit: from the fit's command to predictions of their own models. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { EXIT } from "../../../src/cli/terminal/exit-code.js";
import { readCsv, TableEncoding } from "../../../src/data/index.js";
import { seededUniforms } from "../../../src/data/split/shuffle.js";
import { fitNewTask, sharedPrior, whyNoUnseenTasks } from "../../../src/learning/index.js";
import { loadModel, readPrior } from "../../../src/model/index.js";
import { temporaryFolder } from "../../temporary.js";
import { run } from "../run.js";

const folder = temporaryFolder();
const path = (name: string) => join(folder, name);

async function done(...args: string[]) {
  const { code, out, err } = await run(...args);
  expect(code, err).toBe(0);
  return out;
}

/** Rows of schools: every 9th age and every 7th score is missing, wards are named. */
function rows(schools: readonly string[], n: number, seed: string): string {
  const uniform = seededUniforms("later", seed);
  const lines = ["school,score,grade,age,ward"];
  for (let at = 0; at < schools.length * n; at++) {
    const age = 20 + 60 * uniform();
    const ward = uniform() > 0.5 ? "surg" : "med";
    const score = age / 20 + (ward === "surg" ? 1 : 0) + uniform();
    const cells = [
      (at + 1) % 7 ? score : "",
      score > 3.5 ? "high" : "low",
      (at + 1) % 9 ? age : "",
    ];
    lines.push([schools[at % schools.length]!, ...cells, ward].join(","));
  }
  return `${lines.join("\n")}\n`;
}

const names = (prefix: string, m: number) => Array.from({ length: m }, (_, i) => `${prefix}${i}`);
const number = { kind: "number" } as const;
const ward = { kind: "category", levels: ["med", "surg"] };
const schemaOf = (target: object) => ({
  format: "mp-mtl-schema",
  version: 1,
  task: "school",
  target,
  columns: { age: { ...number, range: [0, 100] }, ward },
});
const TARGETS = {
  score: { column: "score", ...number, range: [0, 7] },
  grade: { column: "grade", kind: "category", levels: ["high", "low"] },
};

beforeAll(async () => {
  writeFileSync(path("train.csv"), rows(names("fitted-", 40), 12, "train"));
  writeFileSync(path("later.csv"), rows(names("later-", 3), 8, "own"));
  writeFileSync(path("test.csv"), rows(names("later-", 3), 40, "test"));
  for (const [target, said] of Object.entries(TARGETS)) {
    writeFileSync(path(`${target}.json`), JSON.stringify(schemaOf(said)));
    const other = target === "score" ? "grade" : "score";
    for (const name of ["train", "later", "test"]) {
      const lines = readFileSync(path(`${name}.csv`), "utf8")
        .trimEnd()
        .split("\n");
      const at = lines[0]!.split(",").indexOf(other);
      const kept = lines.map((line) => line.split(",").filter((_, k) => k !== at).join(",")); // prettier-ignore
      writeFileSync(path(`${name}-${target}.csv`), `${kept.join("\n")}\n`);
    }
    const data = ["--data", path(`train-${target}.csv`), "--ranges", path(`${target}.json`)];
    await done("fit", ...data, ..."--method mp-mixed --epsilon 3 --out".split(" "), path(target));
    const out = await done("summary", "--model", path(target), "--prior-out", path(`${target}-prior.json`)); // prettier-ignore
    expect(out).toMatch(/the guarantee covers it, whoever has it$/m);
  }
}, 60_000);

test("summary says of a prior what of it no budget paid for, where nobody declared the columns", async () => {
  const data = ["--data", path("train-score.csv"), "--task", "school", "--target", "score"];
  await done("fit", ...data, ..."--method mp-mixed --epsilon 3 --out".split(" "), path("seen"));
  const out = await done("summary", "--model", path("seen"), "--prior-out", path("seen.json"));
  expect(out).toMatch(
    /the guarantee covers it, whoever has it, but for what it tells uncharged: kinds of .*/,
  );
});

test("of a prior whose fit promised nothing, or was seeded, it is not said that the fit is paid for", async () => {
  const fit = ["fit", "--data", path("train-score.csv"), "--ranges", path("score.json"), "--out"];
  const later = ["fit", "--data", path("later-score.csv"), "--shared-prior"];
  const open = [...fit, path("open"), "--method", "mixed-model"];
  const seeded = [
    ...fit,
    path("with-seed"),
    ..."--method mp-mixed --epsilon 3 --seed 1".split(" "),
  ];
  for (const [name, args] of Object.entries({ open, "with-seed": seeded })) {
    await done(...args);
    const said = await done(...later, path(name));
    expect(said, name).not.toContain("is paid for");
    expect(said, name).toContain("nothing: no release was made, and the fit that the prior comes from protects no one"); // prettier-ignore
  }
  expect(await done(...later, path("score"))).toContain("the prior comes from is paid for");
});

describe.each(["score", "grade"] as const)("a target %s", (target) => {
  const prior = path(`${target}-prior.json`);
  const data = path(`later-${target}.csv`);

  test("what summary writes holds no fitted task, and makes the models that the library makes, as the fit's model does", async () => {
    expect(readFileSync(prior, "utf8")).not.toContain("fitted-");
    await done("fit", "--shared-prior", prior, "--data", data, "--out", path(`a-${target}`));
    await done("fit", "--shared-prior", path(target), "--data", data, "--out", path(`b-${target}`));
    const [a, b, fitted] = [`a-${target}`, `b-${target}`, target].map((name) =>
      loadModel(readFileSync(path(`${name}/model.safetensors`))),
    );
    expect(a!.weights).toEqual(b!.weights);
    expect(a!.taskNames).toEqual(names("later-", 3));
    expect(a!.ledger!.spent()).toEqual(fitted!.ledger!.spent());
    const encoding = TableEncoding.fromJSON(fitted!.preprocessing!.encoding!);
    const table = await readCsv(readFileSync(data, "utf8"));
    const library = fitNewTask(sharedPrior(fitted!), encoding.apply(table).tasks);
    expect(a!.weights).toEqual(library.weights);
  });

  test("the model predicts, is scored and summed up as any other, and each says whom its guarantee covers", async () => {
    const asked = ["--shared-prior", prior, "--data", data, "--test", path(`test-${target}.csv`)];
    const said = await done("fit", ...asked, "--out", path(`c-${target}`));
    const COVERS = "covers the tasks of the fit; a task that came later was not in it";
    expect(said).toContain(COVERS);
    expect(said).toContain("of each task of the fit against all others");
    expect(said).toContain("nothing: no release was made");
    expect(said).not.toContain("this budget is expected to buy");
    const model = ["--model", path(`c-${target}`)];
    expect(await done("summary", ...model)).toContain(COVERS);
    const summary = JSON.parse(await done("summary", ...model, "--json")) as { guarantee: { later: string } }; // prettier-ignore
    expect(summary.guarantee.later).toContain(COVERS);
    const held = ["--data", path(`test-${target}.csv`)];
    const predicted = await done("predict", ...model, ...held);
    expect(predicted.split("\n").length).toBeGreaterThan(100);
    const [score, fit] = [
      await done("evaluate", ...model, ...held, "--json"),
      await done("fit", ...asked, "--json"),
    ].map((text) => (JSON.parse(text) as { test: { nmse?: number; logLoss?: number } }).test);
    expect(score).toEqual(fit);
    expect(await done("evaluate", ...model, ...held)).toContain("fitted on look better");
    if (target === "score") expect(score!.nmse).toBeLessThan(0.5);
    else expect(score!.logLoss).toBeLessThan(0.6);
  });
});

test("a model of subspaces predicts for no new task, and says what gives it a model; others do not", () => {
  const model = { loss: "squared", components: {} } as const;
  const why = (method: string) => whyNoUnseenTasks({ ...model, method });
  expect(why("mp-subspace")).toMatch(/predicts for no others.* \(fit --shared-prior\)$/);
  expect(why("pooled")).not.toContain("shared-prior");
});

test("gaps of a later owner's rows are filled by its own mean, which its model keeps for predictions", () => {
  const { preprocessing } = loadModel(readFileSync(path("a-score/model.safetensors")));
  const age = preprocessing!.encoding!.columns.find(({ column }) => column === "age") as { means: Record<string, number> }; // prettier-ignore
  expect(Object.keys(age.means).sort()).toEqual(names("later-", 3));
  const lines = readFileSync(path("later-score.csv"), "utf8").trimEnd().split("\n").slice(1);
  const own = lines.map((line) => line.split(",")).filter(([school, score, value]) => school === "later-0" && score !== "" && value !== ""); // prettier-ignore
  const mean = own.reduce((sum, [, , value]) => sum + Number(value), 0) / own.length;
  expect(age.means["later-0"]).toBeCloseTo(mean, 9);
});

test("one owner's table needs no column of names", async () => {
  const lines = readFileSync(path("later-score.csv"), "utf8").trimEnd().split("\n");
  const kept = lines.map((line) => line.split(",").slice(1).join(","));
  writeFileSync(path("north.csv"), `${kept.join("\n")}\n`);
  const asked = ["fit", "--shared-prior", path("score-prior.json"), "--data"];
  const said = await done(...asked, path("north.csv"), "--out", path("north"));
  expect(said).toContain('all are of one task, "north"');
  expect(loadModel(readFileSync(path("north/model.safetensors"))).taskNames).toEqual(["north"]);
  const renamed = [lines[0]!.replace("school", "house"), ...lines.slice(1)].join("\n");
  writeFileSync(path("renamed.csv"), renamed);
  const named = await done(...asked, path("renamed.csv"), "--task", "house");
  expect(named).toContain("a model for each of 3 tasks");
});

test("--test-fraction holds out the rows that split does, of which the model knows nothing", async () => {
  const prior = ["--shared-prior", path("score-prior.json")];
  const [head, ...lines] = readFileSync(path("later-score.csv"), "utf8").trimEnd().split("\n");
  const whole = lines.filter((line) => line.split(",")[1] !== "");
  writeFileSync(path("whole.csv"), `${[head, ...whole].join("\n")}\n`);
  const data = ["--data", path("whole.csv")];
  const share = ["--test-fraction", "0.4"];
  await done("split", ...data, "--task", "school", ...share, "--out", path("parts"));
  const parts = ["--data", path("parts/train.csv"), "--test", path("parts/test.csv")];
  const scores: number[] = [];
  for (const [name, rows] of Object.entries({ held: [...data, ...share], parts })) {
    const said = await done("fit", ...prior, ...rows, "--out", path(`of-${name}`), "--json");
    scores.push((JSON.parse(said) as { test: { nmse: number } }).test.nmse);
  }
  // Gaps are filled before scaling by the one, after it by the other.
  expect(scores[0]).toBeCloseTo(scores[1]!, 12);
  const [held, own] = ["held", "parts"].map((name) => loadModel(readFileSync(path(`of-${name}/model.safetensors`)))); // prettier-ignore
  for (const name of names("later-", 3)) {
    const { weights } = own!.forTask(name);
    held!.forTask(name).weights.forEach((weight, k) => expect(weight).toBeCloseTo(weights[k]!, 10));
  }
  expect(held!.preprocessing).toEqual(own!.preprocessing);
  const one = await done("fit", ...prior, "--data", path("north.csv"), ...share);
  expect(one).toMatch(/test: +nMSE/);
  expect(await done("fit", ...prior, ...data)).toContain("--test-fraction 0.3");
});

test("tasks that the fit had are told from those that came later", async () => {
  const said = await done(
    "fit",
    "--shared-prior",
    path("score"),
    "--data",
    path("train-score.csv"),
  );
  expect(said).toContain("40 tasks of this table the fit had too");
  const later = await done(
    "fit",
    "--shared-prior",
    path("score"),
    "--data",
    path("later-score.csv"),
  );
  expect(later).not.toContain("the fit had too");
});

test("flags of what is spent or said by the prior are refused by name", async () => {
  const asked = [
    "fit",
    "--shared-prior",
    path("score-prior.json"),
    "--data",
    path("later-score.csv"),
  ];
  const { code, err } = await run(...asked, "--epsilon", "1", "--target", "score", "--missing", "refuse"); // prettier-ignore
  expect(code).toBe(EXIT.usage);
  for (const flag of ["--epsilon", "--target", "--missing"]) expect(err).toContain(flag);
  expect(err).toContain("does not go with --shared-prior");
});

test("a prior that promises more than was paid, is cut short, or is none, is refused before anything is printed", async () => {
  const text = readFileSync(path("score-prior.json"), "utf8");
  const given = JSON.parse(text) as { guarantee: { epsilon: number }; components: object };
  const parts = Object.entries(given.components).map(([name, one]) => [name, { ...one, shape: [1] }]); // prettier-ignore
  const bad = {
    promise: JSON.stringify({ ...given, guarantee: { ...given.guarantee, epsilon: 0.1 } }),
    ledger: JSON.stringify({ ...given, ledger: undefined }),
    cut: text.slice(0, 500),
    none: JSON.stringify({ a: 1 }),
    newer: JSON.stringify({ ...given, version: 9 }),
    names: JSON.stringify({ ...given, featureNames: undefined }),
    shape: JSON.stringify({ ...given, components: Object.fromEntries(parts) as object }),
  };
  for (const [name, content] of Object.entries(bad)) {
    writeFileSync(path(`${name}.json`), content);
    const { code, out, err } = await run("fit", "--shared-prior", path(`${name}.json`), "--data", path("later-score.csv")); // prettier-ignore
    expect([name, code, out]).toEqual([name, EXIT.data, ""]);
    expect(err).toContain(`${path(name)}.json`);
  }
  // What the library's sharedPrior is as JSON is a prior, too.
  const model = loadModel(readFileSync(path("score/model.safetensors")));
  const plain = readPrior(JSON.stringify(sharedPrior(model)));
  expect(plain.components).toEqual(sharedPrior(model).components);
});

test("a model that says nothing of others has no prior to write", async () => {
  const data = ["--data", path("train-score.csv"), "--ranges", path("score.json")];
  await done("fit", ...data, "--method", "single-task", "--out", path("alone"));
  const { code, err } = await run("summary", "--model", path("alone"), "--prior-out", path("x.json")); // prettier-ignore
  expect(code).toBe(EXIT.data);
  expect(err).toContain("says nothing of tasks that it was not fitted on");
  const wrong = await run("summary", "--model", path("score"), "--prior-out", path("x.txt"));
  expect(wrong.err).toContain("ends in .json");
});
