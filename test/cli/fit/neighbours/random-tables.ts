/**
 * Small random tables as people have them, each with a neighbour in which one task's rows hold something else.
 * @module
 */
import seedrandom from "seedrandom";
import { normal, pick, type Random } from "./draws.js";
import { askedOf, type Asked } from "./random-flags.js";
import {
  cellOf,
  columnPlan,
  declarationOf,
  rounded,
  written,
  type ColumnPlan,
  type Declaring,
  type Writing,
} from "./random-columns.js";

/** A table in two worlds, and how a fit is asked for. */
export interface TablePair {
  readonly seed: string;
  /** Name of the task whose rows differ, as the file spells it. */
  readonly changed: string;
  readonly texts: readonly [present: string, neighbour: string];
  /** The schema file; undefined where nothing is declared. */
  readonly schema: string | undefined;
  /** Whether it says everything: then nothing at all may be learned from rows but by releases. */
  readonly declared: boolean;
  /** Whether numbers of rows may differ, which are public. */
  readonly resized: boolean;
  /** The labels of its target; none of numbers. */
  readonly labels: readonly string[];
  readonly flags: readonly string[];
}

interface TargetPlan {
  readonly labels: readonly string[] | undefined;
  readonly declaration: Readonly<Record<string, unknown>>;
  readonly gaps: number;
  /** A label that only the changed task may have, where none are declared. */
  readonly other: string | undefined;
}

function targetPlan(random: Random, how: Declaring): TargetPlan {
  const labels = pick(random, [
    undefined,
    undefined,
    ["no", "yes"],
    ["0", "1"],
    ["a", "b", "c"],
    ["1", "2", "3"],
  ]);
  const limits = random() < 0.3 ? { limits: [-1e12, 1e12] } : {};
  const declaration = labels
    ? { column: "y", kind: "category", levels: labels }
    : { column: "y", kind: "number", range: [-6, 6], outside: pick(random, ["keep", "clip"]), ...limits }; // prettier-ignore
  const other = how === "nothing" && labels ? pick(random, ["2", "maybe"]) : undefined;
  return { labels, declaration, gaps: pick(random, [0, 0, 0, 0.1]), other };
}

interface Plan {
  readonly columns: readonly ColumnPlan[];
  readonly target: TargetPlan;
  readonly writing: Writing;
  readonly asked: Asked;
}

/** The lines of one task, without its name. */
function linesOf(
  random: Random,
  n: number,
  { columns, target: { labels, gaps, other }, writing, asked: { weights, persons } }: Plan,
  { odd, task }: { readonly odd: number; readonly task: number },
): string[][] {
  const own = columns.map(() => normal(random) / 2);
  return Array.from({ length: n }, (_, row) => {
    const cells = columns.map((plan, j) => cellOf(random, plan, { own: own[j]!, writing, odd }));
    const slope = normal(random) + own[0]! * (1 + 5 * odd);
    const far = random() < odd / 2 ? 1e9 : 1;
    const label = labels && Math.min(labels.length - 1, Math.max(0, Math.round(slope + 0.5)));
    const number = written(rounded(far * slope), writing);
    const known = label === undefined ? number : labels![label]!;
    const y = other !== undefined && random() < odd ? other : known;
    return [
      random() < gaps ? "" : y,
      ...cells,
      ...(weights ? [String(1 + Math.floor(3 * random()))] : []),
      ...(persons ? [`p${task % 4}.${row % 5}`] : []),
    ];
  });
}

/** The new target where both are there or both missing, else the old one: whether there is one is counted among the rows. */
const keptTarget = (now: string, before: string) =>
  (now === "") === (before === "") ? now : before;

/** The table as text, every task's rows scattered over it. */
function textOf(
  header: readonly string[],
  names: readonly string[],
  rows: readonly string[][][],
  separator: string,
): string {
  const most = Math.max(...rows.map(({ length }) => length));
  const lines = Array.from({ length: most }, (_, row) =>
    names.flatMap((name, i) => {
      const line = rows[i]![row];
      return line ? [[name, ...line]] : [];
    }),
  ).flat();
  return `${[header, ...lines].map((line) => line.join(separator)).join("\n")}\n`;
}

/** The schema of a table; undefined where nothing is declared. */
function schemaOf(
  random: Random,
  how: Declaring,
  { columns, target: { declaration } }: Plan,
): string | undefined {
  if (how === "nothing") return undefined;
  const stated = columns.filter(({ declared }) => declared);
  return JSON.stringify({
    format: "mp-mtl-schema",
    version: 1,
    task: "task",
    ...(how === "all" || random() < 0.5 ? { target: declaration } : {}),
    columns: Object.fromEntries(stated.map((plan) => [plan.name, declarationOf(plan)])),
  });
}

/** The pair of a seed. */
export function tablePair(seed: string): TablePair {
  const random = seedrandom(seed);
  const how = pick(random, ["nothing", "some", "all", "all"] as const);
  const columns = Array.from({ length: 1 + Math.floor(4 * random()) }, (_, j) =>
    columnPlan(random, `c${j}`, how),
  );
  const target = targetPlan(random, how);
  const asked = askedOf(random, { classes: target.labels?.length ?? 0, declared: how === "all" });
  const { writing, weights, persons } = asked;
  const plan: Plan = { columns, target, writing, asked };
  const m = 5 + Math.floor(6 * random());
  const names = Array.from({ length: m }, (_, i) => pick(random, ["t", "0", "x "]) + String(i + 1));
  const at = Math.floor(m * random());
  const resized = random() < 0.15;
  const sizes = names.map(() => 4 + Math.floor(8 * random()));
  const rows = names.map((_, i) => linesOf(random, sizes[i]!, plan, { odd: 0, task: i }));
  const odd = pick(random, [0, 0.1, 0.4, 1]);
  const size = sizes[at]! + (resized ? 2 : 0);
  const drawn = linesOf(random, size, plan, { odd, task: at });
  // Whether rows have a target is counted among the rows.
  const other = resized
    ? drawn
    : drawn.map((line, row) => [keptTarget(line[0]!, rows[at]![row]![0]!), ...line.slice(1)]);
  const neighbour = rows.map((own, i) => (i === at ? other : own));
  const header = [
    "task",
    "y",
    ...columns.map(({ name }) => name),
    ...(weights ? ["weight"] : []),
    ...(persons ? ["who"] : []),
  ];
  const separator = writing.comma ? ";" : ",";
  const [one, two] = [rows, neighbour].map((world) => textOf(header, names, world, separator));
  const drops = columns.some(({ declared, missing }) => declared && missing === "drop");
  return {
    seed,
    changed: names[at]!,
    texts: [one!, two!],
    schema: schemaOf(random, how, plan),
    declared: how === "all",
    resized: resized || drops,
    labels: target.labels ?? [],
    flags: ["--task", "task", "--target", "y", ...asked.flags],
  };
}
