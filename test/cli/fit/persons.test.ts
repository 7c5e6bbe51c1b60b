/** `fit --unit record` on a table with gaps and with persons: no row stands in another, and nobody has more rows than said. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { main } from "../../../src/cli/run.js";
import { testIo } from "../io.js";
import { temporaryFolder } from "../../temporary.js";

const folder = temporaryFolder();
const path = (name: string) => join(folder, name);

/** With unit record and the schema below unless others are given. */
async function fit(...rest: string[]) {
  if (!rest.includes("--unit")) rest.push("--unit", "record");
  if (!rest.includes("--ranges")) rest.push("--ranges", path("schema.json"));
  const io = testIo();
  const given = ["--data", path("data.csv"), "--method", "mp-mixed"];
  const code = await main(["fit", ...given, "--json", ...rest], io);
  return { code, out: io.out(), err: io.err() };
}

beforeAll(() => {
  const lines = Array.from({ length: 60 }, (_, row) => {
    const age = row % 7 === 0 ? "" : 20 + (row % 31);
    return `h${row % 5},p${Math.floor(row / 2) % 25},${age},${((row * 7) % 20) / 10}`;
  });
  writeFileSync(path("data.csv"), `hospital,patient,age,days\n${lines.join("\n")}\n`);
  const schema = {
    format: "mp-mtl-schema",
    version: 1,
    task: "hospital",
    target: { column: "days", kind: "number", range: [0, 3] },
    columns: { age: { kind: "number", range: [0, 100] }, patient: { kind: "identifier" } },
  };
  writeFileSync(path("schema.json"), JSON.stringify(schema));
});

describe("fit --unit record", () => {
  test("means of a task's rows are refused in the place of missing values", async () => {
    const { code, err } = await fit("--missing", "impute");
    expect(code).not.toBe(0);
    expect(err).toMatch(/unit "record" protects single records, but means of the column "age"/);
    expect(err).toContain("--missing center");
  });

  test("so are those that a schema asks for, which no flag overrules, and that is said", async () => {
    const schema = JSON.parse(readFileSync(path("schema.json"), "utf8")) as {
      columns: { age: object };
    };
    Object.assign(schema.columns.age, { missing: "task-mean" });
    writeFileSync(path("task-mean.json"), JSON.stringify(schema));
    const { code, err } = await fit("--missing", "center", "--ranges", path("task-mean.json"));
    expect(code).toBe(3);
    expect(err).toContain(`means of the column "age" from each task's own rows would show`);
    expect(err).toContain('"drop" or "refuse", not "task-mean")');
  });

  test("by default they become the middle of the range, and a model to be given away holds no mean", async () => {
    const out = path("model");
    const { code, err } = await fit("--own-model", "noisy", "--out", out);
    expect(err).not.toContain("expected");
    expect(code).toBe(0);
    const card = readFileSync(join(out, "model-card.json"), "utf8");
    expect(card).toMatch(/"missing": {\s*"value": 50/);
    expect(card).not.toContain('"means"');
  });

  test("rows of a person beyond the bound are left out, and that is said", async () => {
    const { code, out } = await fit("--person", "patient", "--tasks-per-person", "2");
    expect(code).toBe(0);
    const document = JSON.parse(out) as { notes: string[]; guarantee: object };
    expect(document.notes.join()).toMatch(
      /\d+ rows left out, of persons with more than 1 in a task/,
    );
    expect(document.guarantee).toMatchObject({ unit: "person" });
  });

  test("persons without the unit are refused", async () => {
    const { code, err } = await fit("--person", "patient", "--unit", "task");
    expect(code).not.toBe(0);
    expect(err).toContain("--unit record or both");
  });
});
