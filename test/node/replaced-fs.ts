/**
 * Synchronous calls to the file system with others in their place, until the end of a test file. A mock of the test runner would need a
 * process of its own, in which the sources are compiled again.
 * @module
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { afterAll } from "vitest";

type Fs = typeof fs;
type Call = (...args: unknown[]) => unknown;

/** What `make` gives takes the place of calls of that name, for whoever imports them from "node:fs", too. @param make gets them as they are. */
export function replaceFs(make: (fs: Fs) => Partial<Record<keyof Fs, unknown>>): void {
  const before = { ...fs };
  const made = make(before);
  const kept: Record<string, unknown> = {};
  let inside = false;
  for (const [name, call] of Object.entries(made) as [keyof Fs, Call][]) {
    kept[name] = before[name];
    // Node's own calls use one another, as they are.
    const replaced: Call = (...args) => {
      if (inside) return (before[name] as Call)(...args);
      inside = true;
      try {
        return call(...args);
      } finally {
        inside = false;
      }
    };
    Object.assign(fs, { [name]: replaced });
  }
  syncBuiltinESMExports();
  afterAll(() => {
    Object.assign(fs, kept);
    syncBuiltinESMExports();
  });
}
