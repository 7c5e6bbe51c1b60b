/**
 * Which process this is, so that another one can tell whether it still runs: its number alone does not say, since
 * numbers are given again, every container has a process 1, and machines restart.
 * @module
 */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** A process among all processes; what the system does not tell is undefined. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** The start of the machine: Linux's boot id. */
  readonly boot?: string | undefined;
  /** Which processes are numbered together: Linux's namespace. */
  readonly namespace?: string | undefined;
  /** When it started, in ticks since the machine did. */
  readonly started?: string | undefined;
}

function told(read: () => string | undefined): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function startOf(pid: number): string | undefined {
  return told(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name, in parentheses, may hold anything; the start is the 20th field after it.
    return stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .at(19);
  });
}

/** This process. */
export function thisProcess(): ProcessIdentity {
  const { pid } = process;
  return {
    pid,
    host: hostname(),
    boot: told(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()),
    namespace: told(() => readlinkSync("/proc/self/ns/pid")),
    started: startOf(pid),
  };
}

/**
 * Whether the process is seen to run from here. One that cannot be seen, of another machine or container or of before
 * the machine's last start, counts as ended: who goes on its word must be able to bear that it is not.
 */
export function isSeenRunning(other: ProcessIdentity): boolean {
  const here = thisProcess();
  const comparable = (["host", "boot", "namespace"] as const).every(
    // The host's name of a container is its own; where Linux tells the boot, that decides.
    (field) => (field === "host" && here.boot !== undefined) || here[field] === other[field],
  );
  if (!comparable || !Number.isInteger(other.pid) || other.pid <= 0) return false;
  if (here.started !== undefined) return startOf(other.pid) === other.started;
  try {
    process.kill(other.pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
