/**
 * Damaged files read by us and by a strict reader that is not ours (numpy, pyarrow, Python's csv): what it refuses is refused, and
 * where both read, the numbers are the same. A few here; `npm run test:mutations` takes ten thousand. `MP_MTL_PYTHON` names
 * a Python that has the packages; where one is missing its tests say that they are skipped.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test, type TestContext } from "vitest";
import { readTable, type Table } from "../../../src/data/index.js";
import type * as nodeEntry from "../../../src/node/index.js";
import { builtEntry, isBuilt } from "../../node/built.js";
import { temporaryFolder } from "../../temporary.js";
import { thorough } from "../../thorough.js";
import { mutate, numbersFrom } from "./mutations.js";
import { npyFiles, parquetFiles } from "./read-fixtures.js";

const COUNT = Number(process.env["MP_MTL_MUTATIONS"] ?? (thorough ? 50 : 25));
const python = process.env["MP_MTL_PYTHON"] ?? "python3";
const program = fileURLToPath(new URL("independent.py", import.meta.url));
const decoded = (files: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(files).map(([name, base64]) => [
      name,
      new Uint8Array(Buffer.from(base64, "base64")),
    ]),
  );

type Cells = readonly (readonly [name: string, cells: readonly (string | null)[]])[];
interface Answer {
  readonly refused?: string;
  readonly crashed?: boolean;
  readonly columns?: Cells;
}

function ask(kind: string, folder: string, paths: readonly string[]): Answer[] | undefined {
  const list = join(folder, "list");
  writeFileSync(list, paths.join("\n"));
  const { stdout, error } = spawnSync(python, [program, kind, list], {
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  if (error || stdout.trim() === "none") return undefined;
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Answer);
}

/** A number of Python's `float.hex`, or what else a cell holds. */
function valueOf(cell: string | null): number | string {
  if (cell === null || cell === "nan") return NaN;
  const found = /^(-?)0x([01])(?:\.([0-9a-f]+))?p([+-]\d+)$/.exec(cell);
  if (!found) return cell === "inf" ? Infinity : cell === "-inf" ? -Infinity : cell;
  const [, sign, whole, fraction = "", exponent] = found;
  const mantissa = Number(BigInt(`0x${whole}${fraction}`)) * 2 ** (-4 * fraction.length);
  // In two steps: a subnormal number's exponent alone would be zero.
  const half = Math.trunc(Number(exponent) / 2);
  return (sign === "-" ? -1 : 1) * mantissa * 2 ** half * 2 ** (Number(exponent) - half);
}

/** Numbers as they are; text of ours, where theirs is a number, as the number that it spells. */
function same(ours: Table, theirs: Cells): boolean {
  const names = theirs.map(([name]) => name);
  // A column without a name is given one, as R's and pandas' first has none.
  const named = ours.columns.every(({ name }, j) => [name, ""].includes(names[j]?.trim() ?? "?"));
  if (!named || names.length !== ours.columns.length) return false;
  return ours.columns.every(({ values }, j) => {
    const cells = theirs[j]![1].map(valueOf);
    return (
      cells.length === values.length &&
      cells.every((cell, i) => {
        const own = values[i]!;
        if (typeof cell === "string")
          return String(own).trim() === cell.trim() || Number(cell) === own || Number.isNaN(own);
        // A missing text is an empty one.
        if (Number.isNaN(cell) && own === "") return true;
        return Object.is(Number(own) + 0, cell + 0);
      })
    );
  });
}

/**
 * Of every file so many damaged ones; all files are asked about together, since a Python with its packages takes a second to begin.
 * Where it has none the test is skipped.
 */
async function compare(
  { skip }: TestContext,
  kind: string,
  files: Readonly<Record<string, Uint8Array>>,
  read: (path: string) => Table | Promise<Table>,
  count: number,
): Promise<void> {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  const sources = Object.entries(files).map(([name, file]) => ({
    name,
    file,
    next: numbersFrom(file.length + 1),
  }));
  for (let done = 0; done < count; done += 500) {
    const paths = sources.flatMap(({ name, file, next }) =>
      Array.from({ length: Math.min(500, count - done) }, (_, i) => {
        const path = join(folder, `${name} ${done + i}.${kind}`);
        writeFileSync(path, mutate(file, next));
        return path;
      }),
    );
    const answers = ask(kind, folder, paths);
    if (!answers) return skip();
    expect(answers).toHaveLength(paths.length);
    for (const [i, path] of paths.entries()) {
      const theirs = answers[i]!;
      const ours = await Promise.resolve(path)
        .then(read)
        .catch((error: unknown) => error as Error);
      if (!(ours instanceof Error)) {
        const what = `${basename(path)}: ${JSON.stringify(theirs).slice(0, 300)}\n${readFileSync(path).toString("base64").slice(0, 2000)}`;
        expect(theirs.refused, what).toBeUndefined();
        if (theirs.columns) expect(same(ours, theirs.columns), what).toBe(true);
      }
      rmSync(path);
    }
  }
}

const note = (what: string) => `(skipped where Python has no ${what})`;

test(`numpy and we ${note("numpy")}: arrays of every kind`, (context) =>
  compare(
    context,
    "npy",
    decoded(npyFiles),
    (path) => readTable(readFileSync(path), { name: "t.npy" }),
    Math.ceil(COUNT / 4),
  ));

test(`Python's csv and we ${note("csv")}: a table with quotes`, (context) => {
  const text = `task,x,y\n${Array.from({ length: 30 }, (_, i) => `t${i % 3},${i}.25,"${i}"`).join("\n")}\n`;
  return compare(
    context,
    "csv",
    { table: new TextEncoder().encode(text) },
    (path) => readTable(readFileSync(path), { name: "t.csv" }),
    COUNT,
  );
});

test.skipIf(!isBuilt)(
  `pyarrow and we ${note("pyarrow")}, needs dist/: files of every kind`,
  async (context) => {
    const { readTable: readFile } = (await import(
      /* @vite-ignore */ builtEntry
    )) as typeof nodeEntry;
    await compare(
      context,
      "parquet",
      decoded(parquetFiles),
      (path) => readFile(path) as Promise<Table>,
      Math.ceil(COUNT / Object.keys(parquetFiles).length),
    );
  },
);
