/**
 * Releases and noisy scores of the runs of a private selection, kept of one world for another. How many runs there are, and which candidates
 * they take, follows from the seed.
 * @module
 */
import type { Ledger } from "../../../../src/privacy/index.js";
import type { SelectionBudget } from "../../../../src/learning/tuning/selection-budget.js";
import { RunRecord } from "../../../../src/learning/tuning/held-out.js";
import type { Kept } from "./two-worlds.js";

/** Takes a score that was drawn, and gives the one that is kept. */
let scoring: ((drawn: number) => number) | undefined;

/** A run's releases, and its score once it was drawn. */
interface KeptRun {
  readonly releases: Map<number, Float64Array>;
  /** In which they are charged already: so they are read, and not drawn. */
  ledger?: Ledger;
  score?: number;
}

/** All runs of a selection; a second selection is given what the first drew. */
export class KeptSelections implements Kept {
  readonly #runs: KeptRun[] = [];
  readonly #records = new WeakMap<RunRecord, KeptRun>();
  #begun = 0;
  #scored = 0;
  used = 0;

  async during<T>(body: () => Promise<T>): Promise<T> {
    const { openLedger, read, write } = methodsOf(RunRecord.prototype);
    const own = { openLedger, read, write };
    [this.#begun, this.#scored] = [0, 0];
    const runOf = (record: RunRecord) => {
      let run = this.#records.get(record);
      if (!run) {
        run = this.#runs[this.#begun++] ??= { releases: new Map() };
        this.#records.set(record, run);
      }
      return run;
    };
    const used = () => this.used++;
    Object.assign(RunRecord.prototype, {
      openLedger(this: RunRecord, options: Parameters<typeof openLedger>[0]) {
        const opened = openLedger.call(this, options);
        return (runOf(this).ledger ??= opened);
      },
      read(this: RunRecord, release: number) {
        const found = runOf(this).releases.get(release)?.slice();
        if (found) used();
        return found;
      },
      write(this: RunRecord, release: number, statistic: Float64Array) {
        runOf(this).releases.set(release, statistic.slice());
        used();
      },
    });
    scoring = (drawn) => this.#score(drawn);
    try {
      return await body();
    } finally {
      scoring = undefined;
      Object.assign(RunRecord.prototype, own);
    }
  }

  /** The score of the next run: the kept one, or this, which is kept. */
  #score(drawn: number): number {
    const run = this.#runs[this.#scored++]!;
    this.used++;
    return (run.score ??= drawn);
  }
}

const methodsOf = ({ openLedger, read, write }: RunRecord) => ({ openLedger, read, write });

/** A selection's budget whose noisy scores are those that are kept. */
export function withKeptScores(budget: SelectionBudget): SelectionBudget {
  const { mechanism } = budget.score;
  const perturb = mechanism.perturb.bind(mechanism);
  Object.assign(mechanism, {
    perturb: (...[core, stream, at, own, work]: Parameters<typeof perturb>) => {
      perturb(core, stream, at, own, work);
      const score = core.arena.view(at, 1);
      if (scoring) score[0] = scoring(score[0]!);
    },
  });
  return budget;
}
