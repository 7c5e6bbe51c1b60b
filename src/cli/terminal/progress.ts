/**
 * How far a command is, on standard error: a bar for people, lines of JSON for programs, or nothing.
 * @module
 */
import type { Io } from "./io.js";

/** Values of `--progress`. */
export type ProgressMode = "auto" | "bar" | "json" | "none";

/** Where a command says how far it is. It never says anything about the data. */
export interface Progress {
  /**
   * @param done   steps finished, of `total`.
   * @param label  what is being done, for example "round".
   */
  update(done: number, total: number, label: string): void;
  /** Takes the bar away. Called for the command when it ends. */
  end(): void;
}

const SILENT: Progress = { update: () => undefined, end: () => undefined };
const WIDTH = 24;
const INTERVAL_MS = 100;

/** Seconds that what is left takes at the pace so far. */
function secondsLeft(milliseconds: number, done: number, left: number): number {
  return done > 0 ? Math.round((milliseconds / done / 1000) * left) : NaN;
}

function bar(done: number, total: number): string {
  const filled = total > 0 ? Math.min(WIDTH, Math.floor((WIDTH * done) / total)) : 0;
  return `[${"#".repeat(filled)}${"-".repeat(WIDTH - filled)}]`;
}

/** @param mode "auto" is a bar on a terminal, and nothing else where. */
export function openProgress(mode: ProgressMode, io: Io): Progress {
  const form = mode === "auto" ? (io.interactive ? "bar" : "none") : mode;
  if (form === "none") return SILENT;
  /** What is being done, since when, and how much of it was done then: whoever waited for others before took no step. */
  let of: { readonly label: string; readonly started: number; readonly before: number } | undefined;
  let last = -Infinity;
  let shown = false;
  return {
    update(done, total, label) {
      const time = performance.now();
      if (of?.label !== label) of = { label, started: time, before: done };
      // The last step is always shown; between, ten times a second is enough.
      if (time - last < INTERVAL_MS && done < total) return;
      last = time;
      const left = secondsLeft(time - of.started, done - of.before, total - done);
      if (form === "json") {
        const seconds = Number.isNaN(left) ? null : left;
        io.stderr(
          `${JSON.stringify({ progress: { label, done, total, secondsLeft: seconds } })}\n`,
        );
        return;
      }
      shown = true;
      const rest = Number.isNaN(left) ? "" : `  ${left} s left`;
      io.stderr(`\r\x1b[K${label} ${bar(done, total)} ${done}/${total}${rest}`);
    },
    end() {
      if (shown) io.stderr("\r\x1b[K");
      shown = false;
    },
  };
}
