import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { alikeNames, misspeltNames } from "../../../../src/data/inspect/signs/alike-names.js";

describe("alikeNames", () => {
  test("finds what differs in capitals, blanks or the form of accents", () => {
    const accents = ["H\u00f4pital Sud", "Ho\u0302pital  sud"];
    expect(alikeNames(["Hill", accents[0]!, "Lake", "HILL", accents[1]!, "hill "])).toEqual([
      ["Hill", "HILL", "hill "],
      accents,
    ]);
  });

  test("finds zeros that are written before a number and those that are not", () => {
    const names = ["7", "Site 07", "00", "007", "Site 7", "0", "2024-1-5", "-7", "2024-01-05"];
    expect(alikeNames([...names, "-07", "0.5", "00.5"])).toEqual([
      ["7", "007"],
      ["Site 07", "Site 7"],
      ["00", "0"],
      ["2024-1-5", "2024-01-05"],
      ["-7", "-07"],
      ["0.5", "00.5"],
    ]);
  });

  test("zeros before the whole part never join numbers that differ", () => {
    const numbers = fc.uniqueArray(fc.tuple(fc.nat(2000), fc.nat(99), fc.nat(3)), {
      selector: ([whole, part]) => `${whole}.${part}`,
    });
    fc.assert(
      fc.property(numbers, (all) => {
        const names = all.map(([whole, part, zeros]) => `${"0".repeat(zeros)}${whole}.${part}`);
        expect(alikeNames(names)).toEqual([]);
      }),
    );
  });

  test("leaves apart what differs in anything else", () => {
    const names = ["1.5", "15", "1.05", "-1", "1", "10", "100", "0", "St Anna", "St. Anna"];
    expect(alikeNames([...names, "S1", "0,5", "0,05", "1 00"])).toEqual([["100", "1 00"]]);
  });

  test("every name is in one group at most, and groups do not depend on the order", () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[aA b01]{1,4}$/), { maxLength: 20 });
    fc.assert(
      fc.property(names, (all) => {
        const sets = (found: string[][]) => new Set(found.map((group) => group.sort().join("|")));
        const groups = alikeNames(all);
        expect(new Set(groups.flat()).size).toBe(groups.flat().length);
        expect(sets(alikeNames([...all].reverse()))).toEqual(sets(groups));
      }),
    );
  });
});

describe("misspeltNames", () => {
  const known = ["H\u00f4pital Sud", "Lake", "Site 7"];

  test("says which known name was meant", () => {
    expect(misspeltNames(known, ["Hill", "Ho\u0302pital Sud"])).toMatch(
      /^"Ho\u0302pital Sud" and the model's "H\u00f4pital Sud" differ in .* accents only/,
    );
    expect(misspeltNames(known, ["site 07"])).toContain(`"site 07" and the model's "Site 7"`);
  });

  test("says nothing of names that are like none", () => {
    expect(misspeltNames(known, ["Hill", "Site 8", "Hopital Sud"])).toBe("");
    expect(misspeltNames(known, [])).toBe("");
  });
});
