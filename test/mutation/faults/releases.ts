/**
 * Plans of releases, charges and draws.
 * @module
 */
import { faultsIn } from "./fault.js";

const HELD = faultsIn("src/data/checks", {
  "held-rows.ts": [
    {
      from: "data.targetLevels ? arrays.y : held(arrays.y)",
      to: "arrays.y",
      breaks: "No task's targets end a fit after its releases.",
    },
    {
      from: "arrays.x && held(arrays.x)",
      to: "arrays.x",
      breaks: "Nor do its features.",
    },
  ],
});

const RELEASES = faultsIn("src/learning/release", {
  "above-noise.ts": [
    {
      from: "return !(sum / Math.sqrt(scores.length) < STANDS_OUT);",
      to: "return !(sum / scores.length < STANDS_OUT);",
      breaks: "What every round shows a little of stands out of all of them together.",
    },
  ],
  "curator-half.ts": [
    {
      from: 'if (unit === "task" && plan.unit === "task" && plan.groupSize === undefined) return;',
      to: "return;",
      breaks: "Sums in any order are for noise that hides tasks.",
    },
  ],
  "plan-statement.ts": [
    {
      from: 'const alone = curator === "untrusted" && recordEpsilon !== undefined;',
      to: "const alone = false;",
      breaks: "The statement says whom the tasks trust.",
    },
    {
      from: "if (unsound) return unsound.mechanism;",
      to: "if (unsound) return main.mechanism;",
      breaks: "One release that is not sound makes the statement of all unsound.",
    },
    {
      from: "return groupSize === undefined ? stated : liftGuarantee(stated, groupSize, recordsApart);",
      to: "return stated;",
      breaks: "What protects a record is lifted to its task before it is stated.",
    },
  ],
  "held-by-holders.ts": [
    {
      from: "adjacency,\n    epsilon,",
      to: "adjacency,\n    epsilon: epsilon / 2,",
      breaks: "Post-processing makes nothing cheaper.",
    },
  ],
  "epsilon-that-fits.ts": [
    {
      from: "if (delta === 0 || deltaOf(events, { epsilon, accountant }) <= delta) return epsilon;",
      to: "return epsilon;",
      breaks: "What some releases cost is what their own ledger takes.",
    },
  ],
  "require-start.ts": [
    {
      from: "const data = estimator.rowsFor(given);",
      to: "const data = given;",
      breaks: "A private selection refuses rows before it charges.",
    },
  ],
  "owner-accounts.ts": [
    {
      from: "weight < 1 && !(cost(at(weight, all)) <= epsilon)",
      to: "false",
      breaks: "Grids cost an owner no more than its epsilon.",
    },
    {
      from: "{ ...record, weight })\n      : eventOfRecord",
      to: "{ ...record })\n      : eventOfRecord",
      breaks: "An owner's account is of its scaled uploads.",
    },
  ],
  "own-release.ts": [
    {
      from: 'this.ledger.charge(event, { round: k + 1, label: k < shared ? "shared" : "own" });',
      to: "void event;",
      breaks: "Own releases are charged.",
    },
    {
      from: "streamNumber.recordNoise(round, position)",
      to: "streamNumber.recordNoise(0, position)",
      breaks: "Every round of own releases has noise of its own.",
    },
    {
      from: "ledger: { ...ledger, epsilon, plan: events },",
      to: "ledger: { ...ledger, epsilon: epsilon / 2, plan: events },",
      breaks: "What all see is charged with what it costs.",
    },
  ],
  "plan-releases.ts": [
    {
      from: 'preferExact(plan) : plan(form === "exact")',
      to: "preferExact(plan) : plan(false)",
      breaks: "Exact noise is exact where it is asked for.",
    },
    {
      from: "extra,\n      schedule",
      to: "extra: [],\n      schedule",
      breaks: "The main stage gets what the other stages leave of the budget.",
    },
    {
      from: "return weights.map((w) => total * (w / norm));",
      to: "return weights.map((w) => total * w);",
      breaks: "The rounds of a stage share its budget.",
    },
    {
      from: "delta,\n      ...(sampling ? { sampling } : {}),",
      to: "delta,",
      breaks: "A sampled stage is planned with its sampling.",
    },
    {
      from: 'return rate < 1 ? { kind: "poisson", rate } : undefined;',
      to: 'return { kind: "poisson", rate: rate / 2 };',
      breaks: "Samples of records are accounted at the rate at which they are drawn.",
    },
  ],
  "private-estimator.ts": [
    {
      from: "if (journal) refuseResuming(options, releases);",
      to: "",
      breaks: "A journal is kept of those fits only that it can resume.",
    },
  ],
  "refuse-resuming.ts": [
    {
      from: "if (plan.own) {",
      to: "if (!plan.own) {",
      breaks: "No own release is drawn twice by a resumed fit.",
    },
  ],
  "private-releases.ts": [
    {
      from: "this.ledger.charge(events[k]!, { round: release, ...(label === undefined ? {} : { label }) });\n    this.#stream.select(streamNumber.release(release));\n    mechanism.perturb(this.#core, this.#stream, at, budgets[k]!, work);",
      to: "this.#stream.select(streamNumber.release(release));\n    mechanism.perturb(this.#core, this.#stream, at, budgets[k]!, work);\n    this.ledger.charge(events[k]!, { round: release, ...(label === undefined ? {} : { label }) });",
      breaks: "A release is charged before its noise is drawn.",
    },
    {
      from: 'if (journal) requireSameLedger("journal", this.ledger, asked);',
      to: "",
      breaks: "What was released for one unit is not stated to hide another.",
    },
    {
      from: 'requireNoiseSource("journal", this.ledger, random.mode);',
      to: "",
      breaks: "A seeded journal is not gone on with secure noise.",
    },
    {
      from: "if (release <= this.#charged) {",
      to: "if (release < this.#charged) {",
      breaks: "A release that was kept is never drawn again.",
    },
  ],
  "public-sizes.ts": [
    {
      from: "(journal && repeated.get(journal)) ?? publicSizes(data, options)",
      to: "publicSizes(data, options)",
      breaks:
        "A run that is gone through again on folds has the run's sizes, whatever rows tasks hold out.",
    },
    {
      from: "mostRows = Math.max(mostRows, size);",
      to: "mostRows = Math.min(mostRows || size, size);",
      breaks: "The public size is that of the largest task.",
    },
  ],
  "plan-terms.ts": [
    {
      from: "...(recordOf ? { recordSensitivities: sensitivitiesOf(recordOf.events) } : {}),",
      to: "",
      breaks: "Gradients of one bound are not stated to be of a smaller one.",
    },
    {
      from: "...(owners ? { ownerWeights: owners.map(({ weight }) => weight) } : {}),",
      to: "",
      breaks: "What an owner's rows added in full is not stated to be scaled down.",
    },
    {
      from: "...(person ? { person } : {}),",
      to: "",
      breaks: "What was released for persons of few rows is not stated to hide those of more.",
    },
  ],
  "record-account.ts": [
    {
      from: "dimension, clip, adjacency }",
      to: "dimension, clip: clip / 2, adjacency }",
      breaks: "A record is accounted with what it may move.",
    },
    {
      from: 'const replaced = (adjacency === "zero-out" ? 2 : 1) * event.sensitivity;',
      to: "const replaced = event.sensitivity;",
      breaks: "A record that adds nothing moves its task's upload farther than to zero.",
    },
  ],
  "refuse-warm-start.ts": [
    {
      from: "if (!warmStart) return;",
      to: "return;",
      breaks: "A start from another fit is refused.",
    },
  ],
  "uncharged.ts": [
    {
      from: "const start = ArrayBuffer.isView(initial)",
      to: "const start = initial === null",
      breaks: "Given initial models are listed.",
    },
  ],
});

export const FAULTS = [...RELEASES, ...HELD];
