/**
 * What a curator keeps on its own machine, wherever its state is: the socket of `runs`, and past broadcasts.
 * @module
 */
import type { RunCuratorOptions } from "../../federation/index.js";
import { openBroadcastFile } from "../../node/index.js";
import type { Log } from "../federated/run-log.js";
import { stateFolder } from "../../node/records/state-folder.js";

/** The folder of the state, or the default one of the run where the state is in a bucket. */
export function ownFolder(state: string | undefined, run: string): string {
  return state !== undefined && !state.startsWith("kv:") ? state : stateFolder("curator", run);
}

/** Where what is as long as the run is put; nowhere, that is in memory, and said so, where there is no folder for it. */
export function openArchives(
  folder: string,
  log: Log,
): Pick<RunCuratorOptions, "broadcasts" | "releases"> {
  try {
    return { broadcasts: openBroadcastFile(folder), releases: openBroadcastFile(folder) };
  } catch (error) {
    const why = (error as Error).message;
    log({ kind: "broadcasts-in-memory", why }, `past broadcasts are kept in memory: ${why}`);
    return {};
  }
}
