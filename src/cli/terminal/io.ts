/**
 * What a command sees of the process it runs in; tests give their own.
 * @module
 */
import { createInterface } from "node:readline/promises";

/** Streams, terminal and interrupt of a run. */
export interface Io {
  /** Writes to standard output: results only. */
  stdout(text: string): void;
  /** Writes to standard error: progress and messages. */
  stderr(text: string): void;
  /** Whether standard error is a terminal. */
  readonly interactive: boolean;
  /** Columns of the terminal that standard output goes to; undefined where that is none. */
  readonly columns?: number | undefined;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
  /** Asks on the terminal and returns the line typed; absent where there is none. */
  ask?(question: string): Promise<string>;
}

/** Ctrl-C, and what supervisors and containers send: as process 1, a container's only one, SIGTERM would be ignored without a handler. */
const INTERRUPTS = ["SIGINT", "SIGTERM"] as const;

/**
 * The streams of this process. The first interrupt aborts the signal, so that a command can stop
 * in good order; the second ends the process at once.
 */
export function processIo(): Io {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  };
  for (const name of INTERRUPTS) process.on(name, interrupt);
  // `mp-mtl … | head` closes the pipe early, which is no error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    process.stderr.write(`mp-mtl: standard output cannot be written (${error.code ?? "?"}).\n`);
    process.exit(1);
  });
  // Nobody listens any more, or the terminal is gone: that must not end a fit of hours.
  process.stderr.on("error", () => undefined);
  return {
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
    interactive: process.stderr.isTTY === true,
    columns: process.stdout.columns,
    signal: controller.signal,
    ...(process.stdin.isTTY && process.stderr.isTTY
      ? { ask: (question: string) => askAtTerminal(question, controller.signal) }
      : {}),
  };
}

/** Asks on standard error: standard output is for results. */
async function askAtTerminal(question: string, signal: AbortSignal): Promise<string> {
  // Not in the terminal mode of readline, which would keep Ctrl-C to itself.
  const terminal = createInterface({
    input: process.stdin,
    output: process.stderr,
    terminal: false,
  });
  try {
    return await terminal.question(question, { signal });
  } finally {
    terminal.close();
  }
}
