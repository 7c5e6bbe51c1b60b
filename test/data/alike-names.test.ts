import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { alikeNames } from "../../src/data/alike-names.js";

describe("alikeNames", () => {
  test("finds what differs in capitals, blanks or the form of accents", () => {
    const accents = ["H\u00f4pital Sud", "Ho\u0302pital  sud"];
    expect(alikeNames(["Hill", accents[0]!, "Lake", "HILL", accents[1]!, "hill "])).toEqual([
      ["Hill", "HILL", "hill "],
      accents,
    ]);
  });

  test("leaves apart what differs in anything else", () => {
    expect(alikeNames(["007", "7", "1.5", "15", "-1", "1", "St Anna", "St. Anna"])).toEqual([]);
  });

  test("every name is in one group at most, and groups do not depend on the order", () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[aA bB]{1,4}$/), { maxLength: 20 });
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
