import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { holdsCaseNumbers } from "../../../../src/data/inspect/signs/case-numbers.js";
import { seededUniforms, shuffledRows } from "../../../../src/data/split/shuffle.js";
import { Table } from "../../../../src/data/index.js";

const isNumber = (value: number | string): value is number => typeof value === "number";

function holds(values: readonly (number | string)[], name = "c"): boolean {
  const column = values.every(isNumber)
    ? { name, values: Float64Array.from(values) }
    : { name, values: values.map(String) };
  return holdsCaseNumbers(new Table([column]), name);
}

describe("holdsCaseNumbers", () => {
  test("numbers given out in a row are, in whatever order and from wherever they start", () => {
    const from = fc.integer({ min: -1000, max: 1e9 });
    const count = fc.integer({ min: 22, max: 300 });
    fc.assert(
      fc.property(from, count, fc.nat(), (first, n, seed) => {
        const order = shuffledRows(n, seededUniforms(seed));
        const values = Array.from(order, (at) => first + at);
        expect(holds(values)).toBe(true);
        // One of them twice, a fraction or a gap: measured, or not of every row.
        expect(holds([...values.slice(1), values[1]!])).toBe(false);
        expect(holds([...values.slice(1), first + 0.5])).toBe(false);
        expect(holds([...values.slice(1), ""])).toBe(false);
      }),
    );
  });

  test("a few rows, and numbers whose span leaves all different by chance, are not", () => {
    expect(holds(Array.from({ length: 20 }, (_, at) => at))).toBe(false);
    expect(holds(Array.from({ length: 100 }, (_, at) => 1000 * at))).toBe(false);
    expect(holds(Array.from({ length: 100 }, (_, at) => 4 * at))).toBe(true);
    expect(holds(Array.from({ length: 100 }, (_, at) => `a${at}`))).toBe(false);
  });

  test("wide numbers are where the header says that they name something", () => {
    const wide = Array.from({ length: 100 }, (_, at) => 1000 * at);
    for (const name of [
      "id",
      "ID",
      "patient_id",
      "PatientID",
      "Patient Nr",
      "Case No.",
      "row.number",
    ])
      expect(holds(wide, name), name).toBe(true);
    for (const name of ["humid", "casino", "price", "numbers of rooms", "PAID"])
      expect(holds(wide, name), name).toBe(false);
    expect(holds([...wide.slice(1), wide[1]!], "patient_id")).toBe(false);
    expect(holds(wide.slice(0, 10), "patient_id")).toBe(false);
  });
});
