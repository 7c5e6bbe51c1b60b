/** What `predict` says beside its rows. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { main } from "../../../src/cli/run.js";
import { temporaryFolder } from "../../temporary.js";
import { testIo } from "../io.js";

const folder = temporaryFolder();
const path = (name: string) => join(folder, name);

async function run(...args: string[]) {
  const io = testIo();
  const code = await main(args, io);
  expect(code, io.err()).toBe(0);
  return { out: io.out(), err: io.err() };
}

const predict = (...more: string[]) =>
  run("predict", "--model", path("model"), "--data", path("new.csv"), ...more);

beforeAll(async () => {
  const rows = Array.from(
    { length: 30 },
    (_, i) => `h${i % 3},${(i * 7) % 11},${i},${i % 4 < 2 ? "well" : "ill"}`,
  );
  writeFileSync(path("t.csv"), ["hospital,age,visit,state", ...rows].join("\n"));
  writeFileSync(path("new.csv"), "hospital,age,visit\nh1,4,1\nh2,,2\n");
  const roles = ["--task", "hospital", "--target", "state"];
  const fit = ["fit", "--data", path("t.csv"), ...roles, "--method", "single-task"];
  await run(...fit, "--out", path("model"));
});

const FILLED = 'column "age": missing values filled in by the mean of their task\'s rows\n';

test("numbers that were filled in are told, beside rows that are printed", async () => {
  const { out, err } = await predict();
  expect(out).toMatch(/^task,probability,label,.*\nh1,.*\nh2,.*\n$/);
  expect(err).toBe(FILLED);
  const written = await predict("--out", path("p.csv"));
  expect(written.out).toContain(FILLED);
  expect(written.err).toBe("");
  expect(readFileSync(path("p.csv"), "utf8")).toBe(out);
  const document = await predict("--json");
  expect((JSON.parse(document.out) as { notes: string[] }).notes).toEqual([FILLED.trim()]);
  expect(document.err).toBe("");
});

test("a level that the schema does not have is refused, or counts as none by --unseen", async () => {
  const levels = { kind: "category", levels: ["med", "surg"], missing: "zeros" };
  const age = { kind: "number", range: [0, 90], missing: "task-mean" };
  const schema = { format: "mp-mtl-schema", version: 1, columns: { ward: levels, age } };
  writeFileSync(path("schema.json"), JSON.stringify(schema));
  const rows = Array.from(
    { length: 30 },
    (_, i) => `h${i % 3},${i % 2 ? "med" : "surg"},${i},${i}`,
  );
  writeFileSync(path("wards.csv"), ["hospital,ward,age,stay", ...rows].join("\n"));
  const roles = ["--task", "hospital", "--target", "stay", "--ranges", path("schema.json")];
  const fit = ["fit", "--data", path("wards.csv"), ...roles, "--missing-codes", "k.A."];
  await run(...fit, "--method", "single-task", "--out", path("wards"));
  writeFileSync(path("later.csv"), "hospital,ward,age\nh1,ped,40\nh2,,k.A.\nh0,med,5\n");
  const later = ["predict", "--model", path("wards"), "--data", path("later.csv")];
  const io = testIo();
  expect(await main(later, io)).toBe(3);
  expect(io.err()).toMatch(/line 2, column "ward".*predict --unseen zeros/s);
  const { out, err } = await run(...later, "--unseen", "zeros");
  expect(out).toMatch(/^task,prediction\nh1,.*\nh2,.*\nh0,.*\n$/);
  expect(err).toContain('column "ward": 2 values missing or that training did not have');
  expect(err).toContain('column "age": missing values filled in by the mean'); // a code counts as missing
});

test("all cells that do not fit are named in one message, of every column; unknown tasks, too", async () => {
  const rows = Array.from({ length: 8 }, (_, i) => `h${i % 3},ped,x${i}`);
  writeFileSync(path("bad.csv"), ["hospital,ward,age", "h1,med,5", ...rows].join("\n"));
  const io = testIo();
  expect(await main(["predict", "--model", path("wards"), "--data", path("bad.csv")], io)).toBe(3);
  const lines = "line 4, line 5, line 6, line 7, line 8 and 2 more.";
  expect(io.err()).toMatch(/line 3, column "ward": the value is not one of the 2 known levels/);
  expect(io.err()).toMatch(/line 3, column "age": expected a finite number, found other text/);
  expect(io.err().split(`The same in ${lines}`)).toHaveLength(3);
  expect(io.err()).not.toContain("x3");
  writeFileSync(path("fresh.csv"), "hospital,ward,age\nh7,med,5\nh8,med,5\nh1,med,5\nh9,med,5\n");
  const fresh = testIo();
  const asked = ["predict", "--model", path("wards"), "--data", path("fresh.csv")];
  expect(await main(asked, fresh)).toBe(3);
  expect(fresh.err()).toMatch(/task "h7" is not among the 3 tasks .* Nor are "h8", "h9"\./s);
});

test("evaluate --model takes --unseen zeros, as predict does, and a comparison does not", async () => {
  writeFileSync(path("stays.csv"), "hospital,ward,age,stay\nh1,ped,40,3\nh2,med,9,8\nh0,med,5,2\n");
  const score = ["evaluate", "--data", path("stays.csv"), "--model", path("wards")];
  const io = testIo();
  expect(await main(score, io)).toBe(3);
  expect(io.err()).toContain("--unseen zeros");
  const { out } = await run(...score, "--unseen", "zeros");
  expect(out).toContain('column "ward": 1 value missing or that training did not have');
  const other = testIo();
  const compare = ["evaluate", "--simulate", "low-rank", "--out", path("r"), "--unseen", "zeros"];
  expect(await main(compare, other)).toBe(2);
  expect(other.err()).toContain("--unseen goes with --model");
});

test("blank rows, as spreadsheets leave them, have no prediction and are counted", async () => {
  writeFileSync(path("blank.csv"), "hospital,age,visit\nh1,4,1\n,,\nh2,3,2\n,,\n");
  const { out, err } = await run("predict", "--model", path("model"), "--data", path("blank.csv"));
  expect(out).toMatch(/^task,probability,label,.*\nh1,.*\nh2,.*\n$/);
  expect(err).toBe("2 blank rows left out\n");
  writeFileSync(path("nameless.csv"), "hospital,age,visit\nh1,4,1\n,5,3\n");
  const io = testIo();
  const code = await main(
    ["predict", "--model", path("model"), "--data", path("nameless.csv")],
    io,
  );
  expect([code, io.err()]).toEqual([3, expect.stringContaining("the task is missing")]);
});

test("the task's column is written once, whatever it is called", async () => {
  const { out, err } = await predict("--id", "hospital,visit");
  expect(out).toMatch(/^visit,task,probability,/);
  expect(err).toContain('--id: "hospital" is the task\'s column, written as "task"\n');
});

test("a summary says which of two labels a coefficient speaks for", async () => {
  const line = 'coefficients are of the log-odds of "well" against "ill"\n';
  expect((await run("summary", "--model", path("model"))).out).toContain(line);
  expect((await run("summary", "--model", path("model"), "--task", "h1")).out).toContain(line);
});

test("a task that is new in its spelling only is told of, before its predictions are taken for its own", async () => {
  const alike =
    '"H1" and the model\'s "h1" differ in capitals, blanks, leading zeros or the form of accents only';
  writeFileSync(path("capital.csv"), "hospital,age,visit\nH1,4,1\n");
  const table = ["--data", path("capital.csv")];
  const refused = testIo();
  expect(await main(["predict", "--model", path("model"), ...table], refused)).toBe(3);
  expect(refused.err()).toContain(alike);
  const asked = testIo();
  expect(await main(["summary", "--model", path("model"), "--task", "H1"], asked)).toBe(3);
  expect(asked.err()).toContain(alike);
  const roles = ["--task", "hospital", "--target", "state"];
  const mixed = ["--method", "mixed-model", "--out", path("mixed")];
  await run("fit", "--data", path("t.csv"), ...roles, ...mixed);
  const { err } = await run("predict", "--model", path("mixed"), ...table);
  expect(err).toMatch(
    /^1 task new to the model \("H1"\), predicted from what the fitted ones share/m,
  );
  expect(err).toContain(alike);
});
