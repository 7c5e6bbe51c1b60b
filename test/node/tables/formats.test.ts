/**
 * Files that outlive a release say their format and its version; another version is refused by name, never
 * misread.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ResultsFile } from "../../../src/cli/evaluation/cells/results-file.js";
import { readResults } from "../../../src/cli/evaluation/cells/read-results.js";
import { Pipeline, TableEncoding } from "../../../src/data/index.js";
import { encodeFrame } from "../../../src/federation/index.js";
import { decodeRecord } from "../../../src/federation/protocol/records.js";
import { SingleTask } from "../../../src/learning/index.js";
import {
  decodeSafetensors,
  encodeSafetensors,
  loadModel,
  saveModel,
} from "../../../src/model/index.js";
import { openJournal, openLedgerFolder } from "../../../src/node/index.js";
import { openRecordFolder } from "../../../src/node/records/record-folder.js";
import { Ledger } from "../../../src/privacy/index.js";
import { makeTasks } from "../../learning/tasks.js";
import { temporaryFolder } from "../../temporary.js";

const budget = { epsilon: 1, delta: 1e-5, adjacency: "replace" } as const;

/** A folder of these records. */
function recordsOf(folder: string, ...contents: string[]): void {
  const records = openRecordFolder(folder, "it");
  for (const content of contents) records.append(new TextEncoder().encode(content));
  records.close();
}

/** A kind of file: writes one with the version changed, and reads it. */
interface Kind {
  readonly read: (version: number | undefined) => unknown;
  readonly message: (version: number | undefined) => RegExp;
}

/** What `checkFormat` says. */
const refusal = (format: string, version: number | undefined, reads = 1) =>
  version === undefined
    ? new RegExp(`expected the format ${format} with a version`)
    : new RegExp(`format version ${version}, .* reads version ${reads}`);

const kinds: Record<string, Kind> = {
  model: {
    async read(version) {
      const model = await new SingleTask({}).fit(makeTasks({ m: 2, d: 2, rows: () => 4 }));
      const { tensors, metadata } = decodeSafetensors(saveModel(model));
      const card = JSON.parse(metadata["mp-mtl"]!) as object;
      const changed = { ...metadata, "mp-mtl": JSON.stringify({ ...card, version }) };
      return loadModel(encodeSafetensors({ tensors, metadata: changed }));
    },
    message: (version) => refusal("mp-mtl-model", version, 3),
  },
  pipeline: {
    read: (version) =>
      Pipeline.fromJSON({
        format: "mp-mtl-pipeline",
        version: version!,
        features: [],
        transforms: [],
      }),
    message: (version) => refusal("mp-mtl-pipeline", version),
  },
  encoding: {
    read: (version) =>
      TableEncoding.fromJSON({
        task: "task",
        target: "y",
        targetKind: "number",
        missing: "refuse",
        columns: [],
        format: "mp-mtl-encoding",
        version: version!,
      }),
    message: (version) => refusal("mp-mtl-encoding", version),
  },
  "curator's records": {
    read: (version) =>
      decodeRecord(encodeFrame({ type: "session", format: "mp-mtl-run-store", version })),
    message: (version) => refusal("mp-mtl-run-store", version, 2),
  },
  ledger: {
    read: (version) => Ledger.fromJSON({ ...new Ledger(budget).toJSON(), version }),
    message: (version) =>
      new RegExp(`expected format "mp-mtl-ledger" version 1, got .* version ${version}`),
  },
  "ledger folder": {
    read(version) {
      const folder = join(temporaryFolder(), "ledger");
      recordsOf(folder, `${JSON.stringify({ ...new Ledger(budget).toJSON(), version })}\n`);
      return openLedgerFolder(folder, budget);
    },
    message: (version) => new RegExp(`version 1, got .* version ${version}`),
  },
  "release journal": {
    read(version) {
      const folder = join(temporaryFolder(), "journal");
      const header = { format: "mp-mtl-journal", version, identity: "the fit" };
      recordsOf(folder, JSON.stringify(header));
      return openJournal(folder, "the fit");
    },
    message: (version) => new RegExp(`expected a journal of version 2, found version ${version}`),
  },
  "results file, gone on with": {
    read(version) {
      const path = join(temporaryFolder(), "results.jsonl");
      const header = { format: "mp-mtl-results", version: version ?? null, configuration: {} };
      writeFileSync(path, `${JSON.stringify(header)}\n`);
      return ResultsFile.open(path, {});
    },
    message: (version) => new RegExp(`expected version 4, found ${version ?? null}`),
  },
  "results file, reported": {
    read(version) {
      const folder = temporaryFolder();
      const header = { format: "mp-mtl-results", version, configuration: {} };
      writeFileSync(join(folder, "results.jsonl"), `${JSON.stringify(header)}\n`);
      return readResults(folder);
    },
    message: () => /line 1.*version/,
  },
};

describe.each(Object.entries(kinds))("%s", (_name, { read, message }) => {
  test.each([99, 0, undefined])("of version %s is refused by name", async (version) => {
    await expect((async () => read(version))()).rejects.toThrow(message(version));
  });
});

test("a journal of before there were records is refused, not begun anew", () => {
  const folder = join(temporaryFolder(), "run");
  mkdirSync(folder);
  writeFileSync(join(folder, "fit.json"), "the fit");
  expect(() => openJournal(folder, "the fit")).toThrow(
    'holds no records of this release, but "fit.json"',
  );
});

test("a journal of this version opens again, for its own fit only", () => {
  const folder = join(temporaryFolder(), "run");
  openJournal(folder, "the fit").close();
  openJournal(folder, "the fit").close();
  expect(() => openJournal(folder, "another")).toThrow("this journal is of another fit");
  // The digests of later records depend on the first: random bytes in it keep them from telling what it says.
  const other = join(temporaryFolder(), "run");
  openJournal(other, "the fit").close();
  const first = (of: string) => readFileSync(join(of, "000001.record"), "utf8");
  expect(JSON.parse(first(folder).split("\n")[1]!)).toMatchObject({
    format: "mp-mtl-journal",
    version: 2,
    identity: "the fit",
    salt: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  });
  expect(first(other)).not.toBe(first(folder));
});

test("files of another program are refused as such", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "results.jsonl");
  writeFileSync(path, '{"format":"else"}\n');
  await expect(ResultsFile.open(path, {})).rejects.toThrow("is not a file of mp-mtl evaluate");
  expect(() => loadModel(encodeSafetensors({ tensors: {}, metadata: {} }))).toThrow(
    "no mp-mtl model card",
  );
});
