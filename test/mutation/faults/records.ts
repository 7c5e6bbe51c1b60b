/**
 * What hides single records: gradients of PMTL, FedAvg and FedProx, and the models that methods with a prior share.
 * @module
 */
import { faultsIn } from "./fault.js";

const GRADIENTS = faultsIn("src/learning/families/averaging", {
  "records/clipped-gradients.ts": [
    {
      from: "Math.min(1, clip / size)",
      to: "1",
      breaks: "The gradient of every row is held to its norm.",
    },
    {
      from: "scaledNorm(own) * this.#norms[from + j]!",
      to: "scaledNorm(own)",
      breaks: "The norm of a row's gradient is that of its slopes times the row's.",
    },
    {
      from: "(marks?.[j] ?? 1) === 1",
      to: "true",
      breaks: "A row that was not drawn adds nothing.",
    },
  ],
  "records/row-samples.ts": [
    {
      from: "streamNumber.rowSample(round, position)",
      to: "streamNumber.rowSample(0, position)",
      breaks: "Every round draws rows anew.",
    },
    {
      from: "u < this.#rate ? 1 : 0",
      to: "u < 2 * this.#rate ? 1 : 0",
      breaks: "Rows are drawn at the rate that is accounted.",
    },
  ],
  "records/record-gradients.ts": [
    {
      from: "gradients.descent(i, this.global,",
      to: "gradients.descent(i, this.own(i),",
      breaks: "Gradients are taken at a model that is a function of releases.",
    },
    {
      from: "own[j] = weight * x",
      to: "own[j] = x",
      breaks: "An owner with a smaller epsilon is heard less.",
    },
    {
      from: "if (taskClip !== undefined) kernels.clipRows(out, out, 1, size, taskClip);",
      to: "",
      breaks: "Where tasks are hidden, what one uploads is held to a norm.",
    },
  ],
  "records/record-models.ts": [
    {
      from: "const noisy = own.draw(arena.view(at, m * size).slice());",
      to: "const noisy = arena.view(at, m * size).slice();\n      own.draw(noisy);",
      breaks: "A model that may be given away is made of noisy gradients.",
    },
    {
      from: "strength * lambda * (model[j]! - center[j]!)",
      to: "0",
      breaks: "Noisy steps are held to the shared model.",
    },
  ],
  "records/record-halves.ts": [
    {
      from: "const unitNorm = factorOf(sizes) * recordClip;",
      to: "const unitNorm = factorOf(sizes);",
      breaks: "Noise is sized for rows of the declared norm.",
    },
    {
      from: "clip: unitNorm * (person ? rowsOf(person) : 1), person",
      to: "clip: unitNorm, person",
      breaks: "Noise for a person is that of all its rows.",
    },
    {
      from: "if (noiseShares && recordRate < 1) {",
      to: "if (noiseShares && recordRate > 1) {",
      breaks: "Sums of shares are not amplified by samples.",
    },
    {
      from: "const divisor = recordRate * factorOf(sizes)",
      to: "const divisor = factorOf(sizes)",
      breaks: "A step is by the mean gradient of the rows that are expected.",
    },
  ],
  "records/record-options.ts": [
    {
      from: 'if (adjacency !== "zero-out") {',
      to: 'if (adjacency === "zero-out") {',
      breaks: "Amplification is counted on under zero-out only.",
    },
    {
      from: "? { ...options, safeguard: false } : options",
      to: "? options : options",
      breaks: "A model that may be given away never falls back to the task's own rows.",
    },
  ],
});

const OWN = faultsIn("src/learning/families", {
  "averaging/records/record-models.ts": [
    {
      from: "const stepSize = stepSizeFor(options, mean, size);",
      to: "const stepSize = stepSizeFor(options, mean, size) * (1 + Math.abs(arena.view(at + 8 * i * size, size)[0]!));",
      breaks: "A noisy step is as long as public figures say.",
    },
  ],
  "mixed/records/record-exchange.ts": [
    {
      from: "(_, i) => kept * (offsets[i + 1]! - offsets[i]!),",
      to: "(_, i) => rowMoments(this.#rows, d, this.#clips.rows)[((i + 1) * (d + 1) * (d + 2)) / 2 - d - 2]!,",
      breaks: "Nothing of a task's rows is in a model that its releases make but these.",
    },
  ],
});

const MODELS = faultsIn("src/learning/families/prior", {
  "records/record-models.ts": [
    {
      from: "const held = Math.max(-most, Math.min(most, slope(margin, y[j]!)));",
      to: "const held = slope(margin, y[j]!);",
      breaks: "What one row adds to the gradient is held to its norm.",
    },
    {
      from: "const most = (clip / lengths[j]!) * BELOW_ONE;",
      to: "const most = clip * BELOW_ONE;",
      breaks: "The norm of a row's gradient is that of its slope times the row's.",
    },
    {
      from: "if (norm(gradient) <= (CLOSE * clip) / 2) return at;",
      to: "if (step === 3) return at;",
      breaks: "A model that is shared is near the minimum, of which the bound is proven.",
    },
  ],
  "records/record-solve.ts": [
    {
      from: "const u = clippedTo(own, norm * BELOW_ONE);",
      to: "const u = own;",
      breaks: "A model is held to its norm before its matrix is shared.",
    },
    {
      from: "const weight = weights?.[i] ?? 1;",
      to: "const weight = 1;",
      breaks: "An owner's uploads are scaled down to its own budget.",
    },
  ],
  "records/record-plan.ts": [
    {
      from: "const moved = clip / ((KEPT * rows) / m);",
      to: "const moved = clip / (KEPT * rows);",
      breaks: "Noise is sized for a record among the rows of its task, not of all.",
    },
    {
      from: "const norm = recordNorm(definition, sizes, adjacency) * (person ? rowsOf(person) : 1);",
      to: "const norm = recordNorm(definition, sizes, adjacency);",
      breaks: "Noise for a person is that of all its rows.",
    },
    {
      from: "return withOwn(planReleases({ options, stages: [stage], noiseShares, ...of }), norm);",
      to: "return planReleases({ options, stages: [stage], noiseShares, ...of });",
      breaks: "Every owner is told its own account.",
    },
    {
      from: "const apart = Math.SQRT2 * uploadNorm(definition);",
      to: "const apart = uploadNorm(definition);",
      breaks:
        "A record that adds nothing leaves an upload that is not nothing, and may lie across.",
    },
    {
      from: 'const clip = adjacency === "replace" ? Math.SQRT2 * norm : norm;',
      to: "const clip = norm;",
      breaks: "What a record has of noise for tasks is by its own sensitivity, replaced too.",
    },
  ],
  "records/check-records.ts": [
    {
      from: 'if (curator !== "trusted") {',
      to: 'if (curator === "trusted") {',
      breaks: "Record noise of another kind is not combined unproven.",
    },
  ],
});

const PREPARED = faultsIn("src/federation/participant", {
  "data/nothing-learned.ts": [
    {
      from: 'if (unit === "task") return;',
      to: 'if (unit !== "record") return;',
      breaks: "Where a record has an epsilon of its own, nothing is learned from its neighbours.",
    },
    {
      from: 'from === "pooled" && what !== labels',
      to: 'from === "task" && what !== labels',
      breaks:
        "What was learned from a participant's rows is refused, whatever the encoding calls it.",
    },
  ],
});

export const FAULTS = [...GRADIENTS, ...OWN, ...MODELS, ...PREPARED];
