/** Where a curator listens for its operator, on systems with sockets among files and on the one without. */
import { join, resolve, sep } from "node:path";
import { expect, test } from "vitest";
import { controlPath } from "../../../src/cli/operator/control-path.js";

const folder = join("runs", "spring");

test.each(["linux", "darwin", "freebsd"])(
  "on %s it is a file in the folder of the run",
  (system) => {
    const own = { path: join(folder, ".control.sock"), isFile: true };
    expect(controlPath(folder, system)).toEqual(own);
  },
);

test("on Windows it is a named pipe, the same however the folder is written, another of another folder", () => {
  const { path, isFile } = controlPath(folder, "win32");
  expect(isFile).toBe(false);
  expect(path).toMatch(/^\\\\\.\\pipe\\mp-mtl-[0-9a-f]{32}$/);
  const same = [resolve(folder), folder.toUpperCase(), join(folder, "..", "spring"), folder + sep];
  for (const one of same) expect(controlPath(one, "win32").path).toBe(path);
  expect(controlPath(join("runs", "autumn"), "win32").path).not.toBe(path);
});

test("by default it is that of this system", () => {
  expect(controlPath(folder)).toEqual(controlPath(folder, process.platform));
});
