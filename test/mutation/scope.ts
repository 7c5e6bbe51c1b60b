/**
 * What is mutated, and the tests that must find it.
 * @module
 */
import { readdirSync } from "node:fs";
import type { Reaching } from "./reach.js";

/** Files that belong together, with their tests. */
export interface Scope {
  readonly name: string;
  /** Folders of sources. */
  readonly sources: readonly string[];
  /** Folders or files of tests, but for those with this in their path. */
  readonly tests: readonly string[];
  readonly without?: string;
}

export const SCOPES: readonly Scope[] = [
  {
    name: "privacy",
    sources: ["src/privacy"],
    tests: [
      "test/privacy",
      "test/learning/audit/mechanisms.test.ts",
      "test/learning/release",
      "test/model/check-statement.test.ts",
      "test/model/forged-statement.test.ts",
    ],
  },
  {
    name: "rounds",
    sources: ["src/learning/round", "src/learning/release"],
    tests: [
      "test/learning/round",
      "test/learning/release",
      "test/learning/estimators",
      "test/node/records/release-journal.test.ts",
      "test/data/provenance/provenance.test.ts",
      "test/federation/same-bits.test.ts",
      "test/learning/families/averaging/pmtl.test.ts",
      "test/learning/families/record-level",
      "test/property",
    ],
  },
  {
    name: "node",
    // What a journal and a ledger on disk rest on.
    sources: [
      "src/node/records/broadcast-file.ts",
      "src/node/files/file-trace.ts",
      "src/node/records/held-file.ts",
      "src/node/records/ledger-folder.ts",
      "src/node/records/lock-file.ts",
      "src/node/records/process-identity.ts",
      "src/node/records/record-folder.ts",
      "src/node/records/release-journal.ts",
      "src/node/records/rollback-guard.ts",
      "src/node/records/run-folder.ts",
      "src/node/files/sync-directory.ts",
      "src/node/files/write-atomically.ts",
      "src/node/records/write-record.ts",
    ],
    tests: ["test/node", "test/privacy/ledger/durable-ledger.test.ts", "test/learning/release", "test/federation/nats/bucket/stores.test.ts"], // prettier-ignore
  },
  {
    name: "families",
    // What each family has its tasks upload, and makes of what is released.
    sources: [
      "src/learning/families",
      "src/learning/sharing",
      "src/learning/steps",
      "src/learning/tuning/select-privately.ts",
      "src/learning/tuning/selection-budget.ts",
      "src/learning/tuning/selection-setting.ts",
      "src/learning/local-selection/private-selection.ts",
    ],
    tests: [
      "test/learning",
      "test/papers",
      "test/property",
      "test/federation/same-bits.test.ts",
      "test/cli/fit/neighbours/records.test.ts",
      "test/cli/fit/neighbours/selections.test.ts",
    ],
  },
  {
    name: "tables",
    // What is learned of a table before a fit, and what is said of it after.
    sources: [
      "src/data/schema/table-roles.ts",
      "src/data/columns/column-encoding.ts",
      "src/data/columns/number-column.ts",
      "src/data/columns/categorical.ts",
      "src/data/encode/table-encoding.ts",
      "src/cli/tables/prepare-data.ts",
      "src/cli/tables/words/raw-columns.ts",
      "src/cli/fit/document.ts",
      "src/cli/fitted/remarks.ts",
      "src/learning/fitted/task/models-of-tasks.ts",
    ],
    tests: ["test/cli/fit", "test/cli/fitted", "test/cli/tables", "test/data"],
  },
  {
    name: "federation",
    sources: [
      "src/federation/curator",
      "src/federation/participant",
      "src/federation/protocol",
      "src/federation/relays",
      "src/federation/secure-aggregation",
      "src/federation/verified-sums",
    ],
    tests: ["test/federation"],
    without: "nats",
  },
];

const filesUnder = (path: string, ending: string): string[] =>
  path.endsWith(ending)
    ? [path]
    : readdirSync(path, { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(ending))
        .map((file) => `${path}/${file.replaceAll("\\", "/")}`)
        .sort();

/** Source files of a scope; those that only pass on names have nothing to mutate. */
export const sourcesOf = ({ sources }: Scope) =>
  sources.flatMap((path) => filesUnder(path, ".ts")).filter((file) => !file.endsWith("/index.ts"));

/** Words of a path. */
const wordsOf = (path: string) => new Set(path.split(/[/.-]/).filter((word) => word.length > 2));

/** How many of the test's own words the source's path has. */
export function likeness(source: string, test: string): number {
  const own = wordsOf(source);
  return [...wordsOf(test.split("/").at(-1)!)].filter((word) => own.has(word)).length;
}

/** Test files of a scope. */
export const testsOf = ({ tests, without }: Scope) =>
  [...new Set(tests.flatMap((path) => filesUnder(path, ".test.ts")))].filter(
    (path) => without === undefined || !path.includes(without),
  );

/**
 * The tests of a source file: those of like names first, then those that have found most so far, and last those that
 * take long.
 */
export function inOrder(
  tests: readonly Reaching[],
  source: string,
  found: ReadonlyMap<string, number>,
): Reaching[] {
  const rank = ({ test, ms }: Reaching) =>
    10 * likeness(source, test) + Math.min(9, found.get(test) ?? 0) - ms / 1000;
  return [...tests].sort((a, b) => rank(b) - rank(a));
}
