import { convertIndexedToRgb, decode } from "fast-png";
import { describe, expect, test } from "vitest";
import { colourOf, extentOf, heatMap } from "../../src/charts/index.js";

const map = {
  title: "models",
  values: [1, -2, 0, 4],
  rows: 2,
  columns: 2,
  extent: 4,
  rowTitle: "feature",
  columnTitle: "task",
  valueTitle: "weight",
};

/** Red, green and blue of each pixel of the first picture in a drawing. */
function pixels(body: string): number[][] {
  const [, base64] = /href="data:image\/png;base64,([^"]*)"/.exec(body)!;
  const data = convertIndexedToRgb(decode(Uint8Array.from(atob(base64!), (c) => c.charCodeAt(0))));
  return Array.from({ length: data.length / 3 }, (_, k) =>
    Array.from(data.slice(3 * k, 3 * k + 3)),
  );
}

describe("a heat map", () => {
  test("has a pixel for each value, row by row, in its colour", () => {
    const expected = map.values.map((value) => colourOf(value / 4, false).map(Math.round));
    expect(pixels(heatMap(map, 300).body)).toEqual(expected);
  });

  test("names rows and columns where there is room, as many as are legible elsewhere", () => {
    const names = ["mathematics & physics", "art"];
    const { body } = heatMap({ ...map, rowNames: names, columnNames: ["north", "south"] }, 300);
    for (const text of ["mathematics &amp; phy…", ">art<", ">north<", ">south<", ">weight<"]) {
      expect(body.replace("4  weight", "weight")).toContain(text);
    }
    const large = heatMap(
      { ...map, rows: 100, columns: 150, values: new Float64Array(15000) },
      640,
    );
    const labels = large.body.match(/class="name"/g)!.length;
    expect(labels).toBeGreaterThan(10);
    expect(labels).toBeLessThan(100);
    expect(large.body.length).toBeLessThan(60_000);
  });
});

describe("the extent of the colours", () => {
  test("is not decided by an outlier, nor zero", () => {
    const values = Float64Array.from({ length: 1000 }, (_, k) => (k === 500 ? 1e9 : (k % 10) - 5));
    expect(extentOf(values)).toBe(5);
    expect(extentOf(new Float64Array(5))).toBe(1);
    expect(extentOf(Float64Array.from({ length: 1000 }, (_, k) => Number(k === 3)))).toBe(1);
  });

  test("colours stand apart on both sides of zero, and stop at the ends", () => {
    for (const onDark of [false, true]) {
      expect(colourOf(-1, onDark)).not.toEqual(colourOf(1, onDark));
      expect(colourOf(7, onDark)).toEqual(colourOf(1, onDark));
      expect(colourOf(-0, onDark)).toEqual(colourOf(0, onDark));
    }
  });
});
