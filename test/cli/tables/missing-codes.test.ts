/** Codes for missing values from the command line: shown, said, and kept with the model. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../temporary.js";
import { run } from "../run.js";

const folder = temporaryFolder();
const path = (name: string) => join(folder, name);

const table = (gap: string, unknown: string) =>
  [
    "site,y,age,ward",
    ...Array.from({ length: 40 }, (_, i) => {
      const age = i % 9 === 0 ? gap : String(20 + ((i * 7) % 60));
      const ward = i % 11 === 0 ? unknown : ["med", "Med", "surg"][i % 3]!;
      return [`s${i % 4}`, (Math.sin(i) + i / 20).toFixed(3), age, ward].join(",");
    }),
  ].join("\n");
writeFileSync(path("coded.csv"), table("-99", "unknown"));
writeFileSync(path("gaps.csv"), table("", ""));
const roles = ["--task", "site", "--target", "y"];
const codes = ["--missing-codes", "-99,unknown"];
const method = ["--method", "mixed-model"];

test("inspect shows what looks like one; a fit says that there is, without showing it", async () => {
  const looked = await run("inspect", "--data", path("coded.csv"), ...roles);
  expect(looked.out).toMatch(/column "age" holds -99 \(5 rows\), .*say --missing-codes=-99/);
  const fitted = await run("fit", "--data", path("coded.csv"), ...roles, ...method);
  expect(fitted.out).toMatch(/"age" holds values that repeat and are unlike all others/);
  expect(fitted.out).toMatch(/of the categories "ward" some differ in capitals/);
  expect(fitted.out).not.toContain("-99");
  const said = await run("fit", "--data", path("coded.csv"), ...roles, ...method, ...codes);
  expect(said.out).not.toContain("unlike all others");
});

test("a fit with codes, and predictions by its model, are those of empty cells", async () => {
  const predictions = [];
  for (const [name, more] of [
    ["coded", codes],
    ["gaps", []],
  ] as const) {
    const data = ["--data", path(`${name}.csv`)];
    const out = path(`${name}-model`);
    const { code, err } = await run("fit", ...data, ...roles, ...more, ...method, "--out", out);
    expect([code, err]).toEqual([0, ""]);
    // Nothing is said again: the model knows.
    predictions.push((await run("predict", "--model", out, ...data)).out);
  }
  expect(predictions[0]).toBe(predictions[1]);
  expect(predictions[0]!.split("\n").length).toBeGreaterThan(40);
});

test("a draft of the schema says them, and a fit by it is the same", async () => {
  const schema = path("schema.json");
  await run("inspect", "--data", path("coded.csv"), ...roles, ...codes, "--out", schema);
  const { columns } = JSON.parse(readFileSync(schema, "utf8")) as { columns: object };
  expect(columns).toMatchObject({
    age: { missingCodes: ["-99"] },
    ward: { missingCodes: ["unknown"], levels: ["Med", "med", "surg"] },
  });
  const asked = ["--data", path("coded.csv"), ...method, "--json"];
  const train = (out: string) => (JSON.parse(out) as { train: object }).train;
  const bySchema = train((await run("fit", ...asked, "--ranges", schema)).out);
  expect(bySchema).toEqual(train((await run("fit", ...asked, ...roles, ...codes)).out));
});
