/**
 * A run as its records tell it, while no curator is alive: read under the same lock, changed in nothing.
 * @module
 */
import { existsSync } from "node:fs";
import { decodeRecord } from "../../federation/protocol/records.js";
import { DataError } from "../../core/index.js";
import { openRunFolder } from "../../node/index.js";

/** What the records hold that the guarantee covers, or that is public. */
export interface StoredRun {
  readonly session: string;
  readonly plan: string;
  readonly participants: readonly { readonly name: string; readonly tasks: readonly string[] }[];
  readonly expelled: readonly string[];
  /** Rounds that were released. */
  readonly released: number;
  /** What was charged for each. */
  readonly charges: readonly object[];
}

/** @throws DataError if there are no records, or they are damaged or in use. */
export async function readStoredRun(folder: string): Promise<StoredRun> {
  if (!existsSync(folder)) throw new DataError(`${folder}: there are no records of a run.`);
  const store = openRunFolder(folder);
  try {
    const records = (await store.load()).map(decodeRecord);
    const [first] = records;
    if (first?.type !== "session") throw new DataError(`${folder}: there are no records of a run.`);
    const members = records.flatMap((record) => {
      if (record.type === "members") return record.members;
      return record.type === "joined" ? [record.member] : [];
    });
    const releases = records.filter((record) => record.type === "release");
    return {
      session: first.session,
      plan: first.plan,
      participants: members.map(({ participant, tasks }) => ({
        name: participant,
        tasks: tasks.map(({ name }) => name),
      })),
      expelled: records.flatMap((record) =>
        record.type === "expelled" ? [record.participant] : [],
      ),
      released: releases.length,
      charges: releases.map(({ charge }) => charge),
    };
  } finally {
    await store.close();
  }
}
