import { describe, expect, test } from "vitest";
import { DISTINCT_SERIES, lineChart, lookOf, svg } from "../../src/charts/index.js";

const axes = { x: { title: "eps", scale: "log" }, y: { title: "nMSE" } } as const;
const series = (name: string, points: { x: number; y: number; low?: number; high?: number }[]) => ({
  name,
  points,
  ...lookOf(0),
});
const count = (text: string, what: RegExp) => text.match(what)?.length ?? 0;

describe("a line chart", () => {
  const points = [1, 2, 4].map((x) => ({ x, y: 1 / x }));

  test("draws a line and its marks, at places that the axes say", () => {
    const { body } = lineChart({ ...axes, series: [series("a", points)] }, 400);
    const [, d] = /class="line colour-0 dash-0" d="([^"]*)"/.exec(body)!;
    const places = d!
      .slice(1)
      .split("L")
      .map((pair) => pair.split(",").map(Number));
    expect(places).toHaveLength(3);
    // Equal ratios are equal distances on a logarithmic axis.
    expect(places[1]![0]! - places[0]![0]!).toBeCloseTo(places[2]![0]! - places[1]![0]!, 0);
    expect(places[0]![1]!).toBeLessThan(places[2]![1]!);
    expect(count(body, /class="dot /g)).toBe(3);
  });

  test("draws bands only where there are any, and none below a logarithmic axis", () => {
    const banded = points.map((p) => ({ ...p, low: p.y - 0.3, high: p.y + 0.3 }));
    const draw = (p: typeof points, scale: "log" | "linear") =>
      lineChart({ x: axes.x, y: { title: "y", scale }, series: [series("a", p)] }, 400).body;
    expect(count(draw(points, "linear"), /class="band/g)).toBe(0);
    expect(count(draw(banded, "linear"), /class="band/g)).toBe(1);
    expect(draw(banded, "log")).not.toMatch(/NaN|Infinity/);
  });

  test("draws references over the whole width, the mark, and words as text", () => {
    const { body, height } = lineChart(
      {
        ...axes,
        series: [series("<b>&", points)],
        references: [{ name: "alone", y: 0.5, error: 0.1, ...lookOf(1) }],
        mark: { x: 2, label: "here" },
      },
      400,
    );
    expect(count(body, /class="line colour-1 dash-1"/g)).toBe(2);
    expect(body).toContain(">here</text>");
    expect(body).toContain("&lt;b&gt;&amp;");
    expect(height).toBeGreaterThan(260);
  });

  test("is drawn for one point, for none, and in many widths, without a number that is none", () => {
    for (const some of [[], [{ x: 1, y: 2 }], [{ x: 1, y: 0 }]]) {
      for (const width of [200, 340, 1000]) {
        const drawing = lineChart({ ...axes, series: [series("a", some)] }, width);
        expect(svg(drawing, "alt")).not.toMatch(/NaN|Infinity|undefined/);
      }
    }
  });

  test("puts a long legend into lines that fit", () => {
    const many = Array.from({ length: 9 }, (_, k) => ({
      ...series(`a method with a long name ${k}`, points),
      ...lookOf(k),
    }));
    const wide = lineChart({ ...axes, series: many }, 900);
    const narrow = lineChart({ ...axes, series: many }, 340);
    expect(narrow.height).toBeGreaterThan(wide.height);
  });
});

test("series differ in colour or dash", () => {
  const looks = Array.from({ length: DISTINCT_SERIES }, (_, k) => lookOf(k).className);
  expect(new Set(looks).size).toBe(35);
});
