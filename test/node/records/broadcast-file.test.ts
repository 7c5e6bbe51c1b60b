/** Broadcasts on disk: each is read again as it was added, in any order, and no name of the file is left. */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { openBroadcastFile } from "../../../src/node/records/broadcast-file.js";
import { temporaryFolder } from "../../temporary.js";

test("broadcasts of any length are read by their round", () => {
  const folder = temporaryFolder();
  const archive = openBroadcastFile(folder);
  const broadcasts = [
    [1, 2, 3],
    [],
    [-0, Infinity],
    [4],
    Array.from({ length: 5000 }, (_, k) => k / 7),
  ];
  for (const values of broadcasts) archive.add(Float64Array.from(values));
  for (const round of [5, 1, 3, 2, 4, 1])
    expect([...archive.read(round)]).toEqual(broadcasts[round - 1]);
  // A view into more is added as what it shows.
  archive.add(Float64Array.of(9, 8, 7).subarray(1, 2));
  expect([...archive.read(6)]).toEqual([8]);
  expect(readdirSync(folder)).toEqual([]);
  archive.close();
});
