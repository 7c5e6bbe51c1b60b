/**
 * An `Io` that keeps what is written, for running commands inside a test.
 * @module
 */
import type { Io } from "../../src/cli/terminal/io.js";

export interface TestIo extends Io {
  readonly out: () => string;
  readonly err: () => string;
  readonly interrupt: () => void;
}

export function testIo({ interactive = false } = {}): TestIo {
  const controller = new AbortController();
  let out = "";
  let err = "";
  return {
    stdout: (text) => void (out += text),
    stderr: (text) => void (err += text),
    interactive,
    signal: controller.signal,
    out: () => out,
    err: () => err,
    interrupt: () => {
      controller.abort();
    },
  };
}
