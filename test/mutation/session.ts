/**
 * A process that keeps vitest open and runs tests on one mutant after another: what is not mutated is transformed once.
 * @module
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { createVitest, type TestModule } from "vitest/node";
import { modulesOf } from "../built-modules.js";
import { phaseOf } from "../phases.js";
import { mutated, type Mutant } from "./mutants.js";
import { modulePath, plantedFolder, Planting } from "./planting.js";

/** What is asked: tests to run together, until one fails. null: nothing is mutated. */
export interface Question {
  readonly mutant: Mutant | null;
  readonly tests: readonly string[];
  /** Full names of the tests to run in these files; default all. */
  readonly names?: readonly string[] | undefined;
}

/** The test file that failed, null if none did. */
export interface Answer {
  readonly failed: string | null;
  /** What it said. */
  readonly why?: string | undefined;
}

const root = process.cwd();
let current: Mutant | null = null;
const pathOf = (file: string) => join(root, file);
const folder = plantedFolder(process.pid);
const planting = await Planting.into(folder);

/** For the tests that put others in the place of modules: of sources alone the test runner can. */
const inSources: Plugin = {
  name: "mutant",
  enforce: "pre",
  load: (id) => {
    if (!current || id.split("?")[0] !== pathOf(current.file)) return undefined;
    return { code: mutated(readFileSync(pathOf(current.file), "utf8"), current), map: null };
  },
};

const { shared, apart } = phaseOf(undefined);
const vitest = await createVitest("test", {
  root,
  config: "test/mutation/vitest.config.ts",
  projects: [
    {
      extends: true,
      plugins: [modulesOf(folder)],
      test: { name: "shared", include: [...shared] },
    },
    { extends: true, plugins: [inSources], test: { name: "apart", include: [...apart] } },
  ],
  watch: false,
  maxWorkers: 1,
  fileParallelism: false,
  bail: 1,
  // Tests of one batch share what they import.
  isolate: false,
  pool: "forks",
  setupFiles: ["test/mutation/worker-setup.ts"],
  reporters: [{}],
  testTimeout: 120_000,
  coverage: { enabled: false },
});
await vitest.standalone();

const literally = (name: string) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The first test file that fails. */
async function firstFailure({ mutant, tests, names }: Question): Promise<Answer> {
  const touched = [current, mutant].filter((one) => one !== null);
  current = mutant;
  planting.plant(mutant);
  for (const { file } of touched)
    for (const path of [pathOf(file), modulePath(folder, file)]) vitest.invalidateFile(path);
  // Failures of the mutant before count towards bail otherwise, and nothing more is run.
  vitest.state.filesMap.clear();
  vitest.state.idMap.clear();
  if (names) vitest.setGlobalTestNamePattern(new RegExp(`^(?:${names.map(literally).join("|")})$`));
  else vitest.resetGlobalTestNamePattern();
  const specifications = await vitest.globTestSpecifications([...tests]);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  // Else the next question would meet modules that are loaded, with this fault in them.
  const workers = vitest as unknown as { pool: { close(): Promise<void> } | undefined };
  await workers.pool?.close();
  workers.pool = undefined;
  const bad = testModules.find((module) => hasFailed(module));
  if (bad) {
    const error = failedTests(bad)[0]?.result().errors?.[0] ?? bad.errors()[0];
    return { failed: bad.relativeModuleId, why: error?.message };
  }
  if (unhandledErrors.length > 0) return { failed: "an unhandled error" };
  const ran = testModules.filter((module) => module.ok()).length;
  if (ran < specifications.length) throw new Error(`${tests.join(", ")}: not all were run`);
  return { failed: null };
}

const failedTests = (module: TestModule) =>
  [...module.children.allTests("failed")].filter((test) => (test.result().errors ?? []).length > 0);

/** Whether a test, or what is around the tests, threw: not merely that it did not run. */
const hasFailed = (module: TestModule) =>
  module.errors().length > 0 ||
  [...module.children.allSuites()].some((suite) => suite.errors().length > 0) ||
  failedTests(module).length > 0;

process.on("message", (question: Question) => {
  firstFailure(question).then(
    (answer) => process.send!(answer),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
process.on("disconnect", () => {
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});
process.send!("ready");
