/**
 * What the experiments share: cells on all cores with resumable results, and figures in files.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runCells } from "../../build/modules/cli/evaluation/cells/run-cells.js";
import { summarize } from "../../build/modules/cli/evaluation/findings/summary.js";
import { isPrivateMethod } from "../../build/modules/index.js";
import { csvText } from "../../build/modules/data/table/csv-text.js";
import { renderSvg } from "../../build/modules/report/index.js";
import { openCellFile, sourceOf } from "./cell-files.js";

/** Of data and noise in all experiments. */
const SEED = "paper";

/** The whole of a run: where results go and how much is computed. */
export class Harness {
  constructor({ out, cells, full, finished, replicates, workers, signal }) {
    Object.assign(this, { out, cells, full, finished, workers, signal });
    /** Replicates of each cell. */
    this.replicates = replicates ?? (full ? 100 : 3);
    this.#given = replicates;
  }

  #given;

  /** The command that makes a figure again. */
  command(name) {
    const given = this.#given === undefined ? "" : ` --replicates ${this.#given}`;
    return `npm run paper -- ${name}${this.full ? " --full" : ""}${given}`;
  }

  /**
   * Runs methods x eps x replicates, or reads what was run before.
   *
   * @param name file name, unique to the variant.
   * @param methods [method, options] pairs.
   * @param seed of data and noise; another one than the figures' for choosing settings.
   * @returns rows as those of `mp-mtl evaluate`.
   */
  async evaluate(name, experiment) {
    const { methods, epsilons, data, loss = "squared", normalize = "rows" } = experiment;
    const { seed = SEED, replicates = this.replicates } = experiment;
    const common = { delta: "papers", ...experiment.common };
    const { tuning = { kind: "none" } } = experiment;
    const cellsOf = ([method, options]) =>
      (isPrivateMethod(method) ? epsilons : [null]).flatMap((epsilon) =>
        Array.from({ length: replicates }, (_, replicate) => ({
          method,
          epsilon,
          replicate,
          data,
          seed,
          normalize,
          options: { loss, ...options, ...(epsilon === null ? {} : common) },
          tuning,
        })),
      );
    const source = sourceOf(data);
    const files = new Map();
    try {
      for (const [method, options] of methods) {
        const chosen = tuning.kind === "none" ? undefined : tuning;
        const determining = { options, loss, normalize, source, common, tuning: chosen, seed };
        files.set(method, await openCellFile(this.cells, name, method, determining));
      }
      const every = {
        has: (cell) => files.get(cell.method).has(cell),
        append: (result) => files.get(result.method).append(result),
      };
      const asked = methods.map(cellsOf);
      const cells = this.finished ? asked.map((some) => some.filter(every.has)) : asked;
      const update = (done, of) => {
        if (process.stderr.isTTY) process.stderr.write(`\r${name}: ${done} of ${of} cells  `);
      };
      const { signal, workers } = this;
      await runCells(cells.flat(), every, { signal, progress: { update }, workers });
      const results = methods.map(([method], k) => files.get(method).finish(cells[k]));
      return summarize((await Promise.all(results)).flat());
    } finally {
      // Another figure, or another eps of this one, may be of the same cells.
      for (const file of files.values()) file.close();
    }
  }

  /**
   * The same for [title, method, options] triples, of which several may be of one method. Rows have the title in place
   * of the method.
   */
  async evaluateVariants(name, variants, experiment) {
    const rows = [];
    for (const [title, method, options] of variants) {
      const part = `${name}-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;
      const found = await this.evaluate(part, { ...experiment, methods: [[method, options]] });
      rows.push(...found.map((row) => ({ ...row, method: title })));
    }
    return rows;
  }

  /** Writes NAME.svg, NAME.json and NAME.csv. */
  async save(figure) {
    await mkdir(this.out, { recursive: true });
    await writeFile(join(this.out, `${figure.name}.svg`), renderSvg(figure));
    const { spec: _spec, ...rest } = figure;
    await writeFile(join(this.out, `${figure.name}.json`), `${JSON.stringify(rest, null, 1)}\n`);
    const { columns, rows } = figure.table;
    const cells = rows.map((row) => row.map((cell) => cell ?? ""));
    await writeFile(join(this.out, `${figure.name}.csv`), [...csvText(columns, cells)].join(""));
  }
}

/** Points of a curve, one series a method, from rows of several evaluations at places x. */
export function pointsOver(places, metric, series = (row) => row.method) {
  return places.flatMap(({ x, rows }) =>
    rows.map((row) => ({
      series: series(row),
      x,
      y: row.metrics[metric].mean,
      error: row.metrics[metric].standardError,
    })),
  );
}
