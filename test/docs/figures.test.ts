/** The pictures of the documents are what `npm run figures` draws, and can be read on any ground, or not seen at all. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as charts from "../../src/charts/index.js";
import * as report from "../../src/report/index.js";
import { root } from "../package/packed.js";

const scripts = join(root, "scripts");
const folder = join(root, "docs/figures");
const { figures } = (await import(/* @vite-ignore */ join(scripts, "figures.mjs"))) as {
  figures(one: typeof report, other: typeof charts): Promise<Record<string, string>>;
};
const { PALETTE, KINDS, box } = (await import(
  /* @vite-ignore */ join(scripts, "figures/drawing.mjs")
)) as {
  PALETTE: Record<string, [light: string, dark: string]>;
  KINDS: string[];
  box(options: object): string;
};
const drawn = await figures(report, charts);

test("docs/figures has every picture, as it is drawn now (npm run figures)", () => {
  const files = readdirSync(folder).filter((name) => name.endsWith(".svg"));
  expect(files.sort()).toEqual(Object.keys(drawn).sort());
  for (const [name, svg] of Object.entries(drawn)) {
    expect(readFileSync(join(folder, name), "utf8"), name).toBe(svg);
  }
});

test.each(Object.keys(drawn))("%s names and describes itself, and needs no network", (name) => {
  const svg = drawn[name]!;
  const [, ids] = /aria-labelledby="([^"]+)"/.exec(svg)!;
  const [title, description] = ids!.split(" ").map((id) => {
    return new RegExp(`<(?:title|desc) id="${id}">([^<]+)<`).exec(svg)![1]!;
  });
  expect(title!.length).toBeGreaterThan(5);
  expect(description!.length).toBeGreaterThan(80);
  expect(svg.replace(/xmlns(:xlink)?="[^"]*"/g, "")).not.toMatch(/https?:|<script|<image|@import/);
});

test("every picture is shown in a document, with words for it", () => {
  const pages = readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => readFileSync(join(root, "docs", name), "utf8"))
    .concat(["README.md", "ARCHITECTURE.md"].map((name) => readFileSync(join(root, name), "utf8")))
    .join("\n");
  for (const name of Object.keys(drawn)) {
    const shown = [
      ...pages.matchAll(new RegExp(`!\\[([^\\]]*)\\]\\((?:docs/)?figures/${name}\\)`, "g")),
    ];
    expect(shown.length, name).toBeGreaterThan(0);
    for (const [, alt] of shown) expect(alt!.length, name).toBeGreaterThan(20);
  }
});

test("the README shows the page, with words for it, in a picture that is quickly there", () => {
  const [, alt, file] = /!\[([^\]]*)\]\((docs\/figures\/[^)]+\.png)\)/.exec(
    readFileSync(join(root, "README.md"), "utf8"),
  )!;
  expect(alt!.length).toBeGreaterThan(80);
  const picture = readFileSync(join(root, file!));
  expect([...picture.subarray(1, 4)]).toEqual([..."PNG"].map((letter) => letter.charCodeAt(0)));
  expect(picture.length).toBeLessThan(300e3);
});

/** Contrast of two colours by WCAG 2.2. */
function contrast(one: string, other: string): number {
  const luminance = (colour: string) => {
    const [r, g, b] = [1, 3, 5].map((at) => {
      const part = parseInt(colour.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    }) as [number, number, number];
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

describe.each([
  ["light", 0],
  ["dark", 1],
] as const)("on %s ground", (_, which) => {
  const colour = (name: string) => PALETTE[name]![which];

  test("text has a contrast of 4.5 on everything it stands on, edges one of 3 on the ground", () => {
    for (const ground of ["ground", ...KINDS]) {
      expect(contrast(colour("ink"), colour(ground)), `ink on ${ground}`).toBeGreaterThan(4.5);
      expect(contrast(colour("quiet"), colour(ground)), `quiet on ${ground}`).toBeGreaterThan(4.5);
    }
    expect(contrast(colour("edge"), colour("ground"))).toBeGreaterThan(3);
  });
});

test("words that do not fit their box are refused", () => {
  expect(() => box({ x: 0, y: 0, width: 60, height: 40, words: "incomprehensibilities" })).toThrow(
    "expected its words to fit 60 x 40",
  );
});
