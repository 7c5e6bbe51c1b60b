/**
 * Columns of random tables: what their cells hold, as people write it, and what a schema says of them.
 * @module
 */
import { normal, pick, type Random } from "./draws.js";

/** What a column's cells are. */
const STYLES = [
  ...(["number", "number", "percent", "texts", "numbered", "date", "perTask"] as const),
  "constant",
] as const;

/** How much of a table is declared. */
export type Declaring = "nothing" | "some" | "all";

/** One column, and what is said of it. */
export interface ColumnPlan {
  readonly name: string;
  readonly style: (typeof STYLES)[number];
  /** About where numbers lie, and how far apart. */
  readonly center: number;
  readonly spread: number;
  readonly levels: readonly string[];
  /** Part of the cells that are missing. */
  readonly gaps: number;
  readonly declared: boolean;
  /** What a schema says of numbers beyond the range, and of missing values. */
  readonly outside: "keep" | "clip";
  readonly missing: string | { readonly value: number } | undefined;
  /** Whether it says which levels a category has. */
  readonly levelsSaid: boolean;
}

const LEVELS = [
  ["a", "b"],
  ["red", "green", "blue"],
  ["1", "2", "3"],
  ["01", "02"],
  ["0.5", "1"],
  ["1.5", "2.5", "3"],
  ["10%", "20%"],
  ["2.5%", "10%"],
  ["yes", "no"],
];

const isNumber = ({ style }: Pick<ColumnPlan, "style">) =>
  !["texts", "numbered", "date"].includes(style);

/** A column; the first one is of numbers, so that there is a feature. */
export function columnPlan(random: Random, name: string, how: Declaring): ColumnPlan {
  const style = name === "c0" ? "number" : pick(random, STYLES);
  const [center, spread] = [pick(random, [0, 0, 40, 2000]), pick(random, [1, 1, 10, 1e-3, 1e6])];
  const missing = isNumber({ style })
    ? pick(random, [undefined, "task-mean", "level", "drop", { value: center }])
    : pick(random, [undefined, "level", "zeros"]);
  return {
    name,
    style,
    center,
    spread,
    missing,
    levels: pick(random, LEVELS),
    declared: how === "all" || (how === "some" && random() < 0.6),
    outside: pick(random, ["keep", "clip"]),
    levelsSaid: how === "all" || random() < 0.5,
    gaps: style === "perTask" ? 0 : pick(random, [0, 0, 0.15]),
  };
}

/** What a schema says of it. */
export function declarationOf(plan: ColumnPlan): object {
  const { style, center, spread, levels, levelsSaid, missing, outside } = plan;
  if (style === "date") return { kind: "ignore" };
  const asked = missing === undefined ? {} : { missing };
  if (!isNumber(plan)) {
    const said = levelsSaid ? { levels, unseen: "zeros" } : {};
    return { kind: "category", ...said, ...asked };
  }
  const range = [center - 3 * spread, center + 3 * spread];
  return { kind: "number", range, outside, perTask: style === "perTask", ...asked };
}

/** How numbers and gaps are written. */
export interface Writing {
  /** Whether with decimal commas. */
  readonly comma: boolean;
  /** What stands for missing values, beside nothing and NA. */
  readonly codes: readonly string[];
}

/** A number as the file has it. */
export const written = (value: number, { comma }: Writing) =>
  comma ? String(value).replace(".", ",") : String(value);

/** As people write it. */
export const rounded = (value: number) => Number(value.toPrecision(5));

/** Whose cell it is: `own` is the task's, `odd` the chance that it holds what no other's does. */
interface CellContext {
  readonly own: number;
  readonly writing: Writing;
  readonly odd: number;
}

/** A cell of the column as the file has it: odd ones now and then between blanks or quotes. */
export function cellOf(random: Random, plan: ColumnPlan, context: CellContext): string {
  const cell = bareCellOf(random, plan, context);
  if (random() >= context.odd / 2) return cell;
  return pick(random, [` ${cell} `, `"${cell}"`, `" ${cell}"`]);
}

function bareCellOf(random: Random, plan: ColumnPlan, context: CellContext): string {
  const { style, center, spread, gaps } = plan;
  const { own, writing, odd } = context;
  if (random() < gaps + (style === "perTask" ? 0 : 0.3 * odd)) {
    return pick(random, ["", "NA", ...writing.codes]);
  }
  const number = (value: number) => written(rounded(value), writing);
  if (style === "percent") {
    const value = center + spread * (normal(random) * (1 + 20 * odd) + own);
    return `${number(value)}${pick(random, ["%", " %"])}`;
  }
  if (style === "perTask") return number(center + spread * own);
  if (style === "constant") return number(random() < odd ? center + 1 : center);
  if (style === "date") return `2024-0${1 + Math.floor(9 * random())}-11`;
  const isOdd = random() < odd;
  if (style !== "number") {
    const level = levelOf(random, plan, isOdd);
    return writing.comma ? level.replace(".", ",") : level;
  }
  if (!isOdd) return number(center + spread * (normal(random) + own));
  const far = pick(random, [1e3, -1e9, 1e70, 1e-12, 0]);
  const ends = ["1e308", "-1e300", "5e-324", "-0"];
  return pick(random, [number(center + far * spread), "0", "1", "007", "1e3", pick(random, ends)]);
}

/** A level, now and then spelled otherwise, or one that nobody knows. */
function levelOf(random: Random, { levels }: ColumnPlan, isOdd: boolean): string {
  const level = pick(random, levels);
  if (!isOdd) return level;
  const spelled = pick(random, [level, `${level}.0`, `0${level}`, `+${level}`]);
  return pick(random, [spelled, spelled, "other", '"two\nlines"', "1.5", "7", "?"]);
}
