/**
 * The command line in processes of its own, killed and started again at will.
 * @module
 */
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEveryFile, afterEveryTest } from "../../../after-file.js";

const main = fileURLToPath(new URL("../../../../dist/cli/main.js", import.meta.url));

/** Whether there is a built command line to run. */
export const built = existsSync(main);

const running = new Set<ChildProcess>();
afterEveryFile(() => {
  for (const child of running) child.kill("SIGKILL");
});

/** Those of the test that runs. A hang that is rare is known by what they said, and when, alone. */
const started = new Set<Program>();
afterEveryTest((failed) => {
  const told = [...started].map(
    ({ name, told, done }) => `--- ${name}${done ? "" : ", not ended"}\n${told}`,
  );
  if (failed && told.length > 0) process.stderr.write(`${told.join("\n")}\n`);
  started.clear();
});

/** `mp-mtl` with these arguments. */
export class Program {
  readonly name: string;
  readonly args: readonly string[];
  #child: ChildProcess | undefined;
  #stdout = "";
  #stderr = "";
  #told = "";
  #finished!: (code: number) => void;
  /** The exit code, once the program ended by itself. */
  readonly finished = new Promise<number>((resolve) => (this.#finished = resolve));
  #done = false;

  constructor(name: string, args: readonly string[]) {
    this.name = name;
    this.args = args;
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** What it wrote to standard error, and what was done to it, each with its time. */
  get told(): string {
    return this.#told;
  }

  get done(): boolean {
    return this.#done;
  }

  start(): this {
    const child = spawn(process.execPath, [main, ...this.args]);
    running.add(child);
    started.add(this);
    this.#stdout = "";
    child.stdout.on("data", (text: Buffer) => (this.#stdout += text.toString()));
    child.stderr.on("data", (text: Buffer) => {
      this.#stderr += text.toString();
      this.#told += `${new Date().toISOString()} ${text.toString()}`;
    });
    this.#told += `${new Date().toISOString()} started\n`;
    child.stdin.end();
    child.once("close", (code) => {
      running.delete(child);
      if (code === null) return; // killed
      this.#done = true;
      this.#finished(code);
    });
    this.#child = child;
    return this;
  }

  /** Sends a signal; SIGKILL leaves no time for a last message. */
  kill(signal: NodeJS.Signals = "SIGKILL"): void {
    this.#told += `${new Date().toISOString()} ${signal}\n`;
    this.#child?.kill(signal);
  }

  /** Waits until standard error holds the text. */
  async says(text: string): Promise<void> {
    while (!this.#stderr.includes(text)) {
      if (this.#done)
        throw new Error(`${this.name} ended without saying "${text}":\n${this.#stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
