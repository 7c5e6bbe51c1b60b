/**
 * What the experiments share: cells on all cores with resumable results, and figures in files.
 */
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ResultsFile } from "../../dist/cli/evaluation/results-file.js";
import { runCells } from "../../dist/cli/evaluation/run-cells.js";
import { summarize } from "../../dist/cli/evaluation/summary.js";
import { isPrivateMethod } from "../../dist/index.js";
import { renderSvg } from "../../dist/report/index.js";

/** The whole of a run: where results go and how much is computed. */
export class Harness {
  constructor({ out, full, workers, signal }) {
    Object.assign(this, { out, full, workers, signal });
    /** Replicates of each cell. */
    this.replicates = full ? 100 : 3;
  }

  /** The command that makes a figure again. */
  command(name) {
    return `npm run paper -- ${name}${this.full ? " --full" : ""}`;
  }

  /**
   * Runs methods x eps x replicates, or reads what was run before.
   *
   * @param name file name, unique to the variant.
   * @param methods [method, options] pairs.
   * @returns rows as those of `mp-mtl evaluate`.
   */
  async evaluate(name, { methods, epsilons, data, loss = "squared", normalize = "rows", common }) {
    const replicates = this.replicates;
    const cells = methods.flatMap(([method, options]) =>
      (isPrivateMethod(method) ? epsilons : [null]).flatMap((epsilon) =>
        Array.from({ length: replicates }, (_, replicate) => ({
          ...{ method, epsilon, replicate, data, seed: "paper", normalize },
          options: { loss, ...options, ...(epsilon === null ? {} : common) },
          ...{ grid: {}, folds: 5, oneStandardError: false },
        })),
      ),
    );
    const { kind, tasks, ...rest } = data;
    const digest = () => createHash("sha256").update(tasks.x).update(tasks.y).digest("hex");
    const source = kind === "table" ? { ...rest, digest: digest() } : data;
    const configuration = { name, methods, epsilons, replicates, loss, source, common };
    const file = await ResultsFile.open(
      join(this.out, "cells", `${name}.jsonl`),
      JSON.parse(JSON.stringify(configuration)),
    );
    const update = (done, of) => {
      if (process.stderr.isTTY) process.stderr.write(`\r${name}: ${done} of ${of} cells  `);
    };
    await runCells(cells, file, {
      signal: this.signal,
      progress: { update },
      workers: this.workers,
    });
    return summarize(await file.finish(cells));
  }

  /** Writes NAME.svg and NAME.json. */
  async save(figure) {
    await mkdir(this.out, { recursive: true });
    await writeFile(join(this.out, `${figure.name}.svg`), await renderSvg(figure));
    const { spec: _spec, ...rest } = figure;
    await writeFile(join(this.out, `${figure.name}.json`), `${JSON.stringify(rest, null, 1)}\n`);
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
