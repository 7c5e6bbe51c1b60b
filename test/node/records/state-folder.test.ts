/** Where states lie does not depend on where a command is typed. */
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { stateFolder } from "../../../src/node/records/state-folder.js";

afterEach(() => vi.unstubAllEnvs());

test("states lie in the user's folder for them, or in the one that is named", () => {
  const named = resolve("/somewhere/states");
  vi.stubEnv("XDG_STATE_HOME", named);
  expect(stateFolder("curator", "trial")).toBe(join(named, "mp-mtl", "curator", "trial"));
  // A relative one would depend on the working directory; the specification has it ignored.
  for (const value of [undefined, "", "states", "./x"]) {
    vi.stubEnv("XDG_STATE_HOME", value);
    vi.stubEnv("LOCALAPPDATA", undefined);
    const expected = join(homedir(), ".local", "state", "mp-mtl", "join", "trial", "north");
    expect(stateFolder("join", "trial", "north")).toBe(expected);
  }
});
