/** Wherever a promise is printed it says whether its noise is drawn in floating point, which no proof covers to the last bit. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { shortGuaranteeLines } from "../../../../src/cli/fitted/guarantee-in-short.js";
import { guaranteeLines, ownerLines } from "../../../../src/cli/fitted/guarantee-text.js";
import { promiseInWords } from "../../../../src/cli/fitted/promise-in-words.js";
import { main } from "../../../../src/cli/run.js";
import { simulate } from "../../../../src/data/index.js";
import { isPrivateMethod, makeEstimator, METHOD_NAMES } from "../../../../src/learning/index.js";
import { MECHANISM_NAMES, createMechanism } from "../../../../src/privacy/index.js";
import { mechanismNamed } from "../../../../src/privacy/mechanisms/catalogue.js";
import { isOfRealNumbersOnly } from "../../../../src/privacy/mechanisms/mechanism.js";
import { testIo } from "../../io.js";
import { temporaryFolder } from "../../../temporary.js";

const program = fileURLToPath(new URL("../../../../dist/cli/main.js", import.meta.url));
const { train } = simulate({ pattern: "low-rank", tasks: 8, features: 2, seed: 1 });
const FLOATS = /floating point/;

/** Every text that states a fit's guarantee. */
async function textsOf(method: string, given: object) {
  const options = { epsilon: 3, delta: 1e-5, ...given };
  const model = await makeEstimator(method, options as never).fit(train);
  const { guarantee, protection } = model;
  if (guarantee.kind === "none") throw new Error("expected a guarantee");
  return [
    guaranteeLines(guarantee),
    ownerLines(guarantee),
    shortGuaranteeLines(guarantee, protection, [], "summary"),
    promiseInWords(model).map(({ text }) => text),
  ].map((lines) => lines.join("\n"));
}

const LEVEL = { featureBound: 3, slopeBound: 1 };

test.each([
  ["dp-aggregation", LEVEL],
  ["dp-task-relationship", { ...LEVEL, rounds: 2 }],
  ["private-fedavg", { rounds: 2, noise: "float" }],
])("all that is said of a fit by %s says it", async (method, options) => {
  for (const text of await textsOf(method, options)) expect(text).toMatch(FLOATS);
});

test("nothing that is said of exact noise does", async () => {
  for (const text of await textsOf("private-fedavg", { rounds: 2 })) {
    expect(text).not.toMatch(FLOATS);
  }
});

test("every sound mechanism says it of its floating-point form, and of no other", () => {
  for (const name of MECHANISM_NAMES) {
    const sizes = { tasks: 4, dimension: 3, clip: 1, delta: 1e-5 };
    const [statistic] = mechanismNamed(name).statistics;
    const make = (discrete: boolean) => createMechanism({ name, statistic, ...sizes, discrete });
    const real = make(false);
    if (!real.sound) continue;
    expect([name, isOfRealNumbersOnly(real)]).toEqual([name, true]);
    expect([name, isOfRealNumbersOnly(make(true))]).toEqual([name, false]);
  }
});

test("account says it of noise that it is not told to be exact", async () => {
  const noise = ["account", "--mechanism", "gaussian", "--epsilon", "1", "--delta", "1e-5"];
  const [real, exact] = [testIo(), testIo()];
  await main(noise, real);
  await main([...noise, "--discrete"], exact);
  expect(real.out()).toMatch(FLOATS);
  expect(exact.out()).not.toMatch(FLOATS);
});

test("so does the help of the option that asks for it", async () => {
  const io = testIo();
  await main(["fit", "--method", "private-fedavg", "--help"], io);
  const help = io.out().replaceAll(/\s+/g, " ");
  expect(help).toContain("float: floating-point, proven for real numbers only; auto: exact");
});

test.skipIf(!existsSync(program))(
  "evaluations and their reports name the methods (needs dist/)",
  () => {
    const folder = temporaryFolder();
    const [out, settings] = [join(folder, "results"), join(folder, "settings.json")];
    writeFileSync(settings, JSON.stringify({ "dp-aggregation": { options: LEVEL } }));
    const data = ["--simulate", "low-rank", "--tasks", "8", "--features", "2"];
    const methods = "dp-aggregation,private-fedavg,single-task";
    const given = ["--methods", methods, "--epsilon", "3", "--replicates", "1"];
    const all = ["evaluate", ...data, ...given, "--settings", settings, "--out", out];
    const { stdout } = spawnSync(process.execPath, [program, ...all], { encoding: "utf8" });
    expect(stdout).toMatch(/^remark: the noise of dp-aggregation is drawn in floating point/m);
    const page = join(folder, "report.html");
    spawnSync(process.execPath, [program, "report", "--results", out, "--out", page]);
    expect(readFileSync(page, "utf8")).toContain("Of dp-aggregation it is proven for noise of");
  },
);

test("of all private methods only those that have no exact form are fitted with such noise unasked", async () => {
  const found: string[] = [];
  for (const method of METHOD_NAMES) {
    if (!isPrivateMethod(method)) continue;
    const needs = method.startsWith("dp-") ? LEVEL : {};
    const estimator = makeEstimator(method, { epsilon: 30, delta: 1e-5, ...needs } as never);
    const { guarantee } = await estimator.fit(train);
    if (guarantee.kind === "joint" && isOfRealNumbersOnly(guarantee)) found.push(method);
  }
  expect(found.toSorted()).toEqual(["dp-aggregation", "dp-task-relationship"]);
});
