/**
 * A run as its records tell it: of a folder while no curator is alive, read under the same lock; of a bucket whether one is alive or not.
 * Nothing is changed.
 * @module
 */
import { existsSync } from "node:fs";
import {
  decodeRecord,
  type CuratorRecord,
  type Member,
} from "../../federation/protocol/records.js";
import { DataError } from "../../core/index.js";
import { openRunFolder } from "../../node/index.js";
import { readRecords } from "../../node/records/record-folder.js";

/** What the records hold that the guarantee covers, or that is public. */
export interface StoredRun {
  readonly session: string;
  readonly plan: string;
  /** Whether the rounds have begun; before that `participants` are those whose registration is kept. */
  readonly started: boolean;
  readonly participants: readonly { readonly name: string; readonly tasks: readonly string[] }[];
  readonly expelled: readonly string[];
  /** Rounds that were released. */
  readonly released: number;
  /** How many there are to be; null before the start, and where an earlier release of this package began the run. */
  readonly rounds: number | null;
  /** What was charged for each. */
  readonly charges: readonly object[];
}

type Taking = Pick<Member, "participant" | "tasks">;

/** The records that are told of, without what was released: that may be long. */
type ToldRecord =
  | Exclude<CuratorRecord, { type: "release" }>
  | Pick<Extract<CuratorRecord, { type: "release" }>, "type" | "charge">;

const membersOf = (records: readonly ToldRecord[]): Taking[] =>
  records.flatMap((record) => {
    if (record.type === "members") return record.members;
    return record.type === "joined" ? [record.member] : [];
  });

/** Who registered last with which tasks, and was neither withdrawn nor expelled. */
function registeredIn(records: readonly ToldRecord[]): Taking[] {
  const tasksOf = new Map<string, Taking["tasks"]>();
  for (const record of records) {
    for (const { participant, tasks } of record.type === "registrations" ? record.changes : []) {
      if (tasks) tasksOf.set(participant, tasks);
      else tasksOf.delete(participant);
    }
  }
  for (const record of records) if (record.type === "expelled") tasksOf.delete(record.participant);
  return [...tasksOf].map(([participant, tasks]) => ({ participant, tasks }));
}

/** Records as they come, and the run they tell of. */
export class RunRecords {
  readonly #told: ToldRecord[] = [];

  /** Takes the next record. @throws DataError if it is none. */
  add(bytes: Uint8Array): void {
    const record = decodeRecord(bytes);
    if (record.type !== "release") this.#told.push(record);
    else this.#told.push({ type: record.type, charge: record.charge });
  }

  /** The run so far; undefined if the records are none of a run. */
  run(): StoredRun | undefined {
    const records = this.#told;
    const [first] = records;
    if (first?.type !== "session") return undefined;
    const start = records.find((record) => record.type === "members");
    const taking = start ? membersOf(records) : registeredIn(records);
    const releases = records.filter((record) => record.type === "release");
    return {
      session: first.session,
      plan: first.plan,
      started: start !== undefined,
      participants: taking.map(({ participant, tasks }) => ({
        name: participant,
        tasks: tasks.map(({ name }) => name),
      })),
      expelled: records.flatMap((record) =>
        record.type === "expelled" ? [record.participant] : [],
      ),
      released: releases.length,
      rounds: start?.rounds ?? null,
      charges: releases.map(({ charge }) => charge),
    };
  }
}

/** @throws DataError if there are no records, or they are damaged or in use. */
export async function readStoredRun(folder: string): Promise<StoredRun> {
  if (!existsSync(folder)) throw noRecords(folder);
  const store = openRunFolder(folder);
  try {
    return runIn(folder, await store.load());
  } finally {
    await store.close();
  }
}

/**
 * The same beside the curator that writes them: every record is there whole or not at all.
 * @throws DataError if there are no records, or they are damaged.
 */
export function readLiveRun(folder: string): StoredRun {
  return runIn(folder, readRecords(folder));
}

function runIn(folder: string, content: Iterable<Uint8Array>): StoredRun {
  const records = new RunRecords();
  for (const record of content) records.add(record);
  const run = records.run();
  if (!run) throw noRecords(folder);
  return run;
}

const noRecords = (folder: string) =>
  new DataError(
    `${folder}: there are no records of a run; of one whose records are in a bucket say --state kv:BUCKET, --nats and --credentials.`,
  );
