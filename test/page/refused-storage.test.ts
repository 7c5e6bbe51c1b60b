/** A browser that keeps nothing, as in a private window, or has no space: the pages say so plainly and go on, or refuse by name. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { forget, recall, remember, type Membership } from "../../examples/federation/membership.js";
import { keep, keptName, notKept, readKept, removeKept } from "../../page/src/state/kept-table.js";
import { openRunDatabase } from "../../src/federation/index.js";
import { HostError } from "../../src/core/index.js";
import { refusingDatabase, type Refusal } from "./refused-storage.js";

const HOW: Refusal[] = ["at once", "opening", "full"];
const table = { file: { name: "own.csv", bytes: new ArrayBuffer(3) }, choice: null };

afterEach(() => vi.unstubAllGlobals());

const refuse = (how: Refusal, stored?: unknown) => {
  vi.stubGlobal("indexedDB", refusingDatabase(how, stored));
};

describe.each(HOW)("refused %s", (how) => {
  const words = how === "full" ? /no space/ : /browser keeps nothing for this page/;

  test("the playground works on, says that the table is not kept, and why", async () => {
    refuse(how);
    expect(await readKept()).toBeNull();
    await keep(table);
    expect([keptName.value, notKept.value]).toEqual([null, expect.stringMatching(words)]);
    await removeKept();
    expect(notKept.value).toBeNull();
  });

  test("the page that joins a run works on, and is told why a reload will not return", async () => {
    refuse(how);
    expect(await recall()).toBeUndefined();
    expect(await remember({} as Membership)).toMatch(words);
    expect(await forget()).toBe(how === "full");
  });

  test("what guards the owner's budget is refused by its name", async () => {
    refuse(how);
    vi.stubGlobal("navigator", {
      locks: { request: (_name: string, _options: object, work: (lock: object) => unknown) => Promise.resolve(work({})) }, // prettier-ignore
      storage: { persist: () => Promise.reject(new TypeError("denied")) },
    });
    const opening = openRunDatabase("mp-mtl trial north");
    if (how === "full") {
      const store = await opening;
      await expect(store.append(new Uint8Array(3))).rejects.toThrow(
        "database mp-mtl trial north: it cannot be used: no space is left for this site",
      );
      return;
    }
    await expect(opening).rejects.toThrow(HostError);
    await expect(opening).rejects.toThrow(/^database mp-mtl trial north: it cannot be used: .*keep nothing/); // prettier-ignore
  });
});

test("a table that takes the place of another does not leave that one to come back", async () => {
  const older = { file: { name: "older.csv", bytes: new ArrayBuffer(1) }, choice: null };
  refuse("full", older);
  expect((await readKept())?.file.name).toBe("older.csv");
  await keep(table);
  expect(await readKept()).toBeNull();
});

test("a table that the browser does not let go of is still named as kept, with the way to be rid of it", async () => {
  const stored = { file: { name: "own.csv", bytes: new ArrayBuffer(1) }, choice: null };
  refuse("full", stored);
  await readKept();
  refuse("opening");
  await expect(removeKept()).rejects.toThrow(
    "own.csv is still kept, the browser does not let go of it: clear this page's data in the browser's settings",
  );
  expect(keptName.value).toBe("own.csv");
});

test("an older table that the browser does not let go of is named beside the one that it does not keep", async () => {
  const older = { file: { name: "older.csv", bytes: new ArrayBuffer(1) }, choice: null };
  refuse("full", older);
  await readKept();
  refuse("opening");
  await keep(table);
  expect([keptName.value, notKept.value]).toEqual([
    "older.csv",
    expect.stringMatching(/keeps nothing/),
  ]);
});
