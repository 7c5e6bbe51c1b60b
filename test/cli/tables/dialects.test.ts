/** Tables with semicolons and decimal commas: what commands write of them is written alike. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main } from "../../../src/cli/run.js";
import { temporaryFolder } from "../../temporary.js";
import { testIo } from "../io.js";

const folder = temporaryFolder();
const path = (name: string) => join(folder, name);
const text = (name: string) => readFileSync(path(name), "utf8");

async function run(...args: string[]) {
  const io = testIo();
  expect([await main(args, io), io.err()]).toEqual([0, ""]);
  return io.out();
}

const rows = Array.from({ length: 24 }, (_, i) =>
  [`p${i}`, ["Süd", "Nord"][i % 2]!, (i / 4 - 2.25).toFixed(2), (Math.sin(i) * 3).toFixed(3)].map(
    String,
  ),
);
const table = (delimiter: string, decimal: string) =>
  [["pupil", "school", "score", "age"], ...rows]
    .map((cells) => cells.map((cell) => cell.replace(".", decimal)).join(delimiter))
    .join("\n") + "\n";
writeFileSync(path("points.csv"), table(",", "."));
writeFileSync(path("commas.csv"), table(";", ","));
writeFileSync(path("tabs.tsv"), table("\t", "."));
const german = ["--delimiter", ";", "--decimal", ","];
const roles = ["--task", "school", "--target", "score", "--features", "age"];

/** What stands in a file with semicolons and commas, with commas and points. */
const inPoints = (written: string) => written.replaceAll(",", ".").replaceAll(";", ",");

test("split writes the parts as the table was, to the last digit", async () => {
  const asked = ["split", "--task", "school"];
  await run(...asked, "--data", path("points.csv"), "--out", path("points"));
  await run(...asked, "--data", path("commas.csv"), ...german, "--out", path("commas"));
  for (const part of ["train.csv", "test.csv"]) {
    const lines = text(`commas/${part}`).split("\n");
    expect(lines[0]).toBe("pupil;school;score;age");
    expect(lines.slice(1).every((line) => line === "" || table(";", ",").includes(line))).toBe(
      true,
    );
    expect(lines.length).toBeGreaterThan(6);
  }
  const fitted = await Promise.all([
    run("fit", "--data", path("points/train.csv"), ...roles, "--method", "single-task", "--json"),
    run(
      "fit",
      "--data",
      path("commas/train.csv"),
      ...german,
      ...roles,
      "--method",
      "single-task",
      "--json",
    ),
  ]);
  const [one, other] = fitted.map((out) => (JSON.parse(out) as { train: object }).train);
  expect(one).toEqual(other);
});

test("predict writes what the table's flags, or its own file's ending, say", async () => {
  const fit = ["fit", ...roles, "--method", "single-task", "--out", path("model")];
  await run(...fit, "--data", path("commas.csv"), ...german);
  const predict = (...more: string[]) =>
    run("predict", "--model", path("model"), "--id", "pupil,score", ...more);
  await predict("--data", path("points.csv"), "--out", path("p.csv"));
  await predict("--data", path("commas.csv"), ...german, "--out", path("c.csv"));
  await predict("--data", path("tabs.tsv"), "--out", path("t.tsv"));
  await predict("--data", path("tabs.tsv"), "--out", path("t.csv"));
  expect(text("p.csv")).toMatch(/^pupil,score,task,prediction\np0,-2.25,Süd,-?\d\.\d+\n/);
  expect(text("c.csv")).toMatch(/^pupil;score;task;prediction\np0;-2,25;Süd;-?\d,\d+\n/);
  expect(inPoints(text("c.csv"))).toBe(text("p.csv"));
  expect(text("t.tsv").replaceAll("\t", ",")).toBe(text("p.csv"));
  expect(text("t.csv")).toBe(text("p.csv"));
  const printed = await predict("--data", path("commas.csv"), ...german);
  expect(printed).toBe(text("c.csv"));
});
