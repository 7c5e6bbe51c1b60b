import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { seededUniforms } from "../../src/data/split/shuffle.js";
import { temporaryFolder } from "../temporary.js";
import { LEFT_OUT, thorough, thoroughTest } from "../thorough.js";

const script = fileURLToPath(new URL("../../bench/paper/run.js", import.meta.url));
const built = existsSync(fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url)));

interface Written {
  readonly command: string;
  /** Map, task, and a number for each feature. */
  readonly table: {
    readonly columns: readonly string[];
    readonly rows: [string, number, ...number[]][];
  };
}

const paper = (...args: string[]) =>
  spawnSync(process.execPath, [script, ...args], { encoding: "utf8" });

describe.skipIf(!built)("npm run paper (skipped where dist/ is not built)", () => {
  test("leakage, by its figure: without noise all tasks take the direction of the large one, with it none", () => {
    const out = temporaryFolder();
    const { status, stderr } = paper("mp-mtl-fig-1", "--out", out);
    expect(status, stderr).toBe(0);
    expect(existsSync(join(out, "leakage.svg"))).toBe(true);
    expect(readFileSync(join(out, "index.html"), "utf8")).toContain("npm run paper -- leakage");
    const { table, command } = JSON.parse(
      readFileSync(join(out, "leakage.json"), "utf8"),
    ) as Written;
    expect(command).toBe("npm run paper -- leakage");
    const [head, ...lines] = readFileSync(join(out, "leakage.csv"), "utf8").trim().split("\n");
    expect(head!.split(",")).toHaveLength(table.columns.length);
    expect(lines).toHaveLength(table.rows.length);
    expect(lines[3]!.endsWith(`,${table.rows[3]!.slice(2).join(",")}`)).toBe(true);
    const maps = new Map<string, number[][]>();
    for (const [map, , ...values] of table.rows) maps.set(map, [...(maps.get(map) ?? []), values]);
    /** Least cosine between a task's direction and that of the last task. */
    const least = (tasks: number[][]) => {
      expect(tasks).toHaveLength(10);
      const cosines = tasks.map((task) => task.reduce((sum, w, j) => sum + w * tasks[9]![j]!, 0));
      return Math.min(...cosines.map(Math.abs));
    };
    const before = least(maps.get("before")!);
    expect(before).toBeLessThan(0.95);
    expect(least(maps.get("leaked: Wishart, eps 1e40")!)).toBeGreaterThan(0.999);
    for (const name of ["Wishart, eps 0.1 nominal", "Gaussian, eps 0.1"]) {
      expect(least(maps.get(`protected: ${name}`)!)).toBeCloseTo(before, 1);
    }
  });

  thoroughTest(
    "what is left out for want of data says where it looked, and where the data are from",
    () => {
      const folder = temporaryFolder();
      const missing = ["--data-folder", folder, "--out", join(folder, "out")];
      const { status, stdout } = paper("pmtl-table-3", ...missing);
      expect(status).toBe(0);
      expect(stdout).toContain(
        `pmtl-alone: left out, femnist206.csv.gz is not in the data folder ${folder}; docs/REPRODUCTION.md`,
      );
      const page = readFileSync(new URL("../../docs/REPRODUCTION.md", import.meta.url), "utf8");
      expect(page).toMatch(/^### The data$[^#]*`femnist206\.csv\.gz`/m);
    },
  );

  thoroughTest("a name that is almost one is answered with what it may stand for", () => {
    const { status, stderr } = paper("fig-6", "Figure 6", "table-1", "nonsense");
    expect(status).not.toBe(0);
    expect(stderr.split("\n").slice(0, 4)).toEqual([
      "unknown: fig-6; did you mean mp-mtl-fig-6?",
      "unknown: Figure 6; did you mean mp-mtl-fig-6?",
      "unknown: table-1; did you mean pmtl-table-1?",
      "unknown: nonsense",
    ]);
  });

  const ageing = `the ageing study loads from one row a subject; cells are used again while nothing changed ${LEFT_OUT}`;
  test.skipIf(!thorough)(ageing, () => {
    const data = temporaryFolder();
    const uniform = seededUniforms("ageing", "rows");
    const lines = ["age,state,target:walking,target:eating,target:shopping"];
    for (let row = 0; row < 60; row++) {
      const age = 70 + Math.floor(20 * uniform());
      const target = (at: number) =>
        row % 9 === at ? "" : age + 10 * uniform() > 82 + at ? "yes" : "no";
      lines.push(
        [row % 7 ? age : "", ["a", "b"][row % 2], target(0), target(1), target(2)].join(","),
      );
    }
    writeFileSync(join(data, "ageing.csv"), `${lines.join("\n")}\n`);
    const out = temporaryFolder();
    const run = (replicates: string, ...more: string[]) =>
      paper(
        ...["ageing", "--data-folder", data, "--out", out, "--workers", "1"],
        ...["--replicates", replicates, ...more],
      );
    const first = run("1");
    expect(first.status, first.stderr).toBe(0);
    const written = readFileSync(join(out, "ageing.json"), "utf8");
    expect((JSON.parse(written) as { caption: string }).caption).toContain(
      "3 activities, 4 features",
    );
    const cells = (name: string) =>
      readFileSync(
        join(
          out,
          "cells",
          readdirSync(join(out, "cells")).find((file) => file.includes(name))!,
        ),
        "utf8",
      );
    const one = cells("single-task").trim().split("\n");
    expect(one.length).toBe(2);
    // A second replicate goes on from the first; of other data none is finished.
    expect(run("2").status).toBe(0);
    const two = cells("single-task").trim().split("\n");
    expect(two.slice(0, 2)).toEqual(one);
    expect(two.length).toBe(3);
    const files = readdirSync(join(out, "cells")).length;
    writeFileSync(join(data, "ageing.csv"), `${lines.slice(0, -5).join("\n")}\n`);
    const { status, stderr } = run("1", "--finished");
    expect(status).not.toBe(0);
    expect(stderr).toContain("expected points to draw, got none");
    expect(readdirSync(join(out, "cells")).length).toBe(files);
  });

  thoroughTest("refuses unknown names, and lists those there are", () => {
    const { status, stderr } = paper("magic", "mp-mtl-fig-2");
    expect(status).toBe(2);
    expect(stderr).toMatch(
      /unknown: magic\nmp-mtl-fig-2: nothing to run .*\n.*leakage.*pmtl-femnist/,
    );
    expect(paper("--replicates", "some", "leakage")).toMatchObject({ status: 2 });
    const { status: strange, stderr: said } = paper("--magic");
    expect(strange).toBe(2);
    expect(said).toMatch(/'--magic'[\s\S]*--help/);
    expect(said).not.toContain("    at ");
  });

  test("--help and --list", () => {
    const { status, stderr, stdout } = paper("--help", "--list");
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("NAME              a figure or table by its number (mp-mtl-fig-6");
    expect(stdout).toMatch(/mp-mtl-fig-10\n.*\n.*contradicted\n.*school/);
  });
});
