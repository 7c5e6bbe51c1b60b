/**
 * What a curator keeps on its own machine, wherever its state is: the socket of `runs`, past broadcasts, and whether it was stopped.
 * @module
 */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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

const STOPPED = ".stopped";

/** Whether the run's last curator here was stopped in good order: one that was killed could not say so. */
export const wasStopped = (folder: string): boolean => existsSync(join(folder, STOPPED));

/** Remembers it, or that a curator goes on. The run does not depend on it: where it cannot be written it is not said. */
export function rememberStopped(folder: string, stopped: boolean): void {
  try {
    if (stopped) writeFileSync(join(folder, STOPPED), "", { mode: 0o600 });
    else rmSync(join(folder, STOPPED), { force: true });
  } catch {
    return;
  }
}
