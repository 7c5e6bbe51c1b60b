import { describe, expect, test } from "vitest";
import { gaussianEvent, Ledger } from "../../src/privacy/index.js";
import {
  accuracyFigure,
  accuracyTable,
  curveFigure,
  heatMapFigure,
  renderSvg,
  reportHtml,
  spendingFigure,
  spentByRelease,
  type AccuracyRow,
} from "../../src/report/index.js";
import { downloads } from "./downloads.js";
import { figureMarkup } from "../../src/report/render.js";
import { seriesLooks } from "../../src/report/series-looks.js";

const text = {
  name: "some-figure",
  title: "Title",
  caption: "Caption",
  alt: 'What "it" shows',
  command: "mp-mtl report <x>",
};

const row = (method: string, epsilon: number | null, mean: number): AccuracyRow => ({
  method,
  epsilon,
  replicates: 2,
  delta: epsilon === null ? null : 1e-3,
  metrics: { nmse: { mean, standardError: 0.01 } },
  gainOnSingleTask: { mean: 0.5 - mean, standardError: 0.02 },
  mechanism: epsilon === null ? null : "gaussian",
  holds: epsilon === null ? null : true,
  tuning: "none",
});
const rows = [
  row("single-task", null, 0.5),
  row("mp-low-rank", 0.1, 0.4512345678),
  row("mp-low-rank", 1, 0.3),
  row("mp-low-rank", 10, 0.2),
];

describe("the privacy-accuracy curve", () => {
  const figure = accuracyFigure(rows, "nmse", text);

  test("holds the numbers in full", () => {
    expect(figure.table.columns).toEqual(["method", "epsilon", "nmse", "standard error"]);
    expect(figure.table.rows[1]).toEqual(["mp-low-rank", 0.1, 0.4512345678, 0.01]);
  });

  test("draws a line for each method, marks for budgets only, and its alternative text", () => {
    const svg = renderSvg(figure);
    for (const { className } of seriesLooks(["single-task", "mp-low-rank"])) {
      // Once in the plot, once in the legend.
      expect(svg.split(`class="line ${className}"`)).toHaveLength(3);
    }
    expect(svg.match(/class="dot /g)).toHaveLength(3);
    expect(svg).toContain('aria-label="What &quot;it&quot; shows"');
    expect(renderSvg(figure)).toBe(svg);
  });

  test("is drawn for a screen and for a phone, of which a page shows one", () => {
    const markup = figureMarkup(figure);
    expect(markup.match(/<svg[^>]*class="chart (wide|narrow)"/g)).toHaveLength(2);
    expect(markup).toContain('width="340"');
  });

  test("a single budget and a single replicate still make a figure", () => {
    const single = [row("mp-low-rank", 1, 0.3)].map((one) => ({
      ...one,
      metrics: { nmse: { mean: 0.3, standardError: null } },
    }));
    const lone = accuracyFigure(single, "nmse", text);
    expect(lone.table.rows[0]![3]).toBeNull();
    expect(renderSvg(lone)).not.toContain("NaN");
  });

  test("only horizontal lines make a figure too", () => {
    expect(renderSvg(accuracyFigure([rows[0]!], "nmse", text))).not.toContain("NaN");
  });
});

test("the same methods look the same in whatever order, and differ in colour while they can", () => {
  const methods = ["mp-low-rank", "pmtl", "single-task", "mp-mixed", "trace-norm"];
  const there = seriesLooks(methods);
  const back = seriesLooks(methods.toReversed()).toReversed();
  expect(back).toEqual(there);
  const colours = there.map(({ className }) => className.split(" ")[0]);
  expect(new Set(colours).size).toBe(methods.length);
  expect(seriesLooks(["a", "b"])[0]).not.toEqual(seriesLooks(["a", "b"])[1]);
});

test("curves refuse what an axis cannot show, naming the series", () => {
  const axes = { x: { title: "x", scale: "log" as const }, y: { title: "y" } };
  expect(() => curveFigure({ ...text, ...axes, points: [] })).toThrow(
    /some-figure: expected points/,
  );
  for (const [x, y] of [
    [0, 1],
    [1, Number.NaN],
    [Infinity, 1],
  ] as const) {
    expect(() => curveFigure({ ...text, ...axes, points: [{ series: "a", x, y }] })).toThrow(
      /expected numbers that its axes can show.* in a/,
    );
  }
});

describe("heat maps", () => {
  const map = { title: "before", values: [1, -2, 3, 4, 5, 6], rows: 2, columns: 3 };
  const options = { ...text, rowTitle: "task", columnTitle: "feature", maps: [map, map] };

  test("are drawn side by side, and list every cell", () => {
    const figure = heatMapFigure({ ...options, maps: [{ ...map, rowNames: ["x", "y"] }, map] });
    expect(figure.table.columns).toEqual(["map", "task", "feature 1", "feature 2", "feature 3"]);
    expect(figure.table.rows[0]).toEqual(["before", "x", 1, -2, 3]);
    expect(figure.table.rows[3]).toEqual(["before", 2, 4, 5, 6]);
    // What is symmetric is listed once.
    const values = [1, 1 / 3, 1 / 3, 2];
    const symmetric = { title: "together", values, rows: 2, columns: 2 };
    const { table } = heatMapFigure({ ...options, maps: [symmetric] });
    expect(table.rows).toEqual([
      ["together", 1, 1, 0.33333],
      ["together", 2, null, 2],
    ]);
    const markup = figureMarkup(figure);
    expect(markup.match(/<svg/g)).toHaveLength(2);
    expect(markup).toContain("This part: before.");
    expect(renderSvg(figure).match(/<svg/g)).toHaveLength(1);
  });

  test("refuse a wrong shape", () => {
    expect(() => heatMapFigure({ ...options, maps: [{ ...map, rows: 3 }] })).toThrow(
      /before: expected 3 x 3 values, got 6/,
    );
  });
});

test("spending grows release by release and ends at what the ledger spent", () => {
  const event = gaussianEvent({ sigma: 10, sensitivity: 1, adjacency: "replace" });
  const plan = [event, event, event];
  const ledger = new Ledger({ epsilon: 2, delta: 1e-3, adjacency: "replace", plan });
  plan.forEach((one, k) => {
    ledger.charge(one, { round: k + 1 });
  });
  const spent = spentByRelease(ledger);
  expect(spent).toHaveLength(3);
  expect(spent[0]).toBeGreaterThan(0);
  expect(spent[0]!).toBeLessThan(spent[1]!);
  expect(spent[2]).toBe(ledger.spent().epsilon);
  const svg = renderSvg(spendingFigure([{ series: "a", ledger }], text));
  expect(svg.match(/class="dot /g)).toHaveLength(3);
});

test("a report needs nothing from outside, and shows markup as text", () => {
  const html = reportHtml({
    title: "<b>Title</b>",
    conclusion: ["At eps 1 it holds <so far>"],
    guarantee: ["eps & delta"],
    notes: ["a & b"],
    command: "mp-mtl evaluate --task '<t>'",
    tables: [
      accuracyTable(rows),
      {
        name: "named",
        title: "Named",
        caption: "Names.",
        columns: ["task", "@feature"],
        rows: [["=HYPERLINK(1)", -1.5]],
      },
      {
        name: "few",
        title: "Few",
        caption: "Numbers.",
        columns: ["counted", "empty"],
        rows: [
          [1, null],
          [2, 0],
        ],
      },
    ],
    figures: [accuracyFigure(rows, "nmse", text)],
    configuration: { task: "</pre><script>" },
  });
  expect(html).not.toMatch(/<script|<b>|@import/);
  const links = [...html.matchAll(/(?:src|href|action)="([^"]*)"/g)].map(([, link]) => link!);
  expect(links.length).toBeGreaterThan(1);
  expect(links.every((link) => /^(data:|#)/.test(link))).toBe(true);
  expect([...html.matchAll(/url\(([^)]*)\)/g)].every(([, to]) => to!.startsWith("#"))).toBe(true);
  // What it comes down to stands first, the promise beside it.
  expect(html).toMatch(/<h1>[^]*At eps 1 it holds &lt;so far&gt;[^]*eps &amp; delta[^]*a &amp; b/);
  // Columns without anything in them are left out.
  expect(html).toContain(">counted<");
  expect(html).not.toContain(">empty<");
  // Table cells are the numbers to four digits, the download has them in full.
  expect(html).toContain('<td class="number">0.4512</td>');
  expect(downloads(html)).toContain("mp-low-rank,0.1,0.4512345678,0.01");
  // Names are no formulas there, numbers stay numbers.
  expect(downloads(html)).toContain("task,'@feature\n'=HYPERLINK(1),-1.5\n");
});
