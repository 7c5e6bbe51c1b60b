/**
 * What processes take, as Linux counts it.
 * @module
 */
import { readFileSync } from "node:fs";

/** Ticks of a second in /proc, on every Linux that Node runs on. */
const TICKS = 100;

/** Seconds of a processor that a process has taken. */
export function processorSeconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name, which may hold spaces, ends with the last parenthesis.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** The most memory that a process has held, in MB. */
export function peakMegabytes(pid) {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(kilobytes) / 1024;
}
