/**
 * The mixed model's releases.
 * @module
 */
import { faultsIn } from "./fault.js";

export const FAULTS = faultsIn("src/learning/families/mixed", {
  "centred.ts": [
    {
      from: "value - predicted[row]!",
      to: "value",
      breaks: "A declared prior's effects are taken off the targets.",
    },
  ],
  "squared/common-part.ts": [
    {
      from: "Float64Array.of(lower, lower, 0)",
      to: "Float64Array.of(lower, lower, lower)",
      breaks: "The fixed effects say nothing of the noise.",
    },
    {
      from: "COMMON.lower * part",
      to: "COMMON.lower",
      breaks: "Variances are lowered as far as the fixed effects explain the slopes.",
    },
  ],
  "labels/evidence/evidence-belief.ts": [
    {
      from: "(1 - part) * value + part * likened.weights[h]!",
      to: "part * value + (1 - part) * likened.weights[h]!",
      breaks: "Without noise a sum of evidence counts as evidence.",
    },
  ],
  "labels/evidence/evidence-shape.ts": [
    {
      from: "`${synthetic.key} ${grid.scales.join()}`",
      to: "synthetic.key",
      breaks: "A seeded fit of several classes has the same bits after a fit of two.",
    },
    {
      from: "value - means[truth]![h]!",
      to: "value",
      breaks: "What tasks vary by is around the mean of their hypothesis.",
    },
  ],
  "mixed-releases.ts": [
    {
      from: "fraction: release.fraction * (1 - scale.part),",
      to: "fraction: release.fraction,",
      breaks: "Votes on scales are paid by the model's part of the budget.",
    },
    {
      from: 'unit === "record" ? rows : m;',
      to: "m;",
      breaks: "The default delta is of the records where these are hidden.",
    },
    {
      from: "const left = own ? 1 - OWN_PART : 1;",
      to: "const left = 1;",
      breaks: "Own releases are paid by the same budget.",
    },
  ],
  "undeclared/column-scale.ts": [
    {
      from: "position - UPPER * apart",
      to: "position",
      breaks: "Where few tasks have most of a column's size, it is larger than that of most tasks.",
    },
    {
      from: "Number.isNaN(position) ? undefined : vote(",
      to: "vote(",
      breaks: "A column that is no number votes for nothing.",
    },
    {
      from: "return this.#located.level >= FINE_LEVEL;",
      to: "return true;",
      breaks:
        "A fit without columns far from zero has the bits that it would have without twofold votes.",
    },
    {
      from: "return this.#far.magnitude + this.#far.spread > MOST_DOUBT.size;",
      to: "return false;",
      breaks: "An effect per unit of a size that noise elected has no standard error.",
    },
  ],
  "undeclared/location-code.ts": [
    {
      from: "Math.sqrt((1 - WIDE_PART) / level)",
      to: "Math.sqrt(1 - WIDE_PART)",
      breaks: "A vote with many digits has norm 1.",
    },
    {
      from: "return Math.min(Math.max(level, 0), FINEST);",
      to: "return 0;",
      breaks: "Values that lie close together are found as finely.",
    },
  ],
  "undeclared/far-columns.ts": [
    {
      from: "put(0, 1 - DIFFERENCES_PART, spreads)",
      to: "put(0, 1, spreads)",
      breaks: "A twofold vote has norm 1.",
    },
    {
      from: "apart > ROUNDING * Math.abs(mean) ? apart : NaN",
      to: "apart",
      breaks: "A task whose values are all the same votes on no difference.",
    },
    {
      from: "if (differences.height <= clear) return false;",
      to: "return false;",
      breaks: "A fit turns to differences where the place of a column is missed.",
    },
  ],
  "undeclared/location-election.ts": [
    {
      from: "(height * Math.abs(height)) / square / (2 * noise)",
      to: "0",
      breaks: "Votes decide where values lie.",
    },
  ],
  "labels/posterior/logistic-average.ts": [
    {
      from: "(one.covariance[at]! + across * off[j]!)",
      to: "one.covariance[at]!",
      breaks: "A mixture's variance includes how far its parts lie apart.",
    },
    {
      from: "{ ...merged(mixture(shared)), weight: part }",
      to: "{ ...merged(mixture(0)), weight: part }",
      breaks: "The own part is what a task learns alone.",
    },
    {
      from: "sites.slice(),",
      to: "sites,",
      breaks: "A model that is made once more leaves the sites of the first as they were.",
    },
  ],
  "labels/effects/logistic-information.ts": [
    {
      from: "center + trust * (value - center)",
      to: "value",
      breaks: "A noisy sum is drawn to what is expected.",
    },
  ],
  "labels/effects/logistic-measurement.ts": [
    {
      from: "(deviation * unit[row]!) ** 2",
      to: "0",
      breaks: "A score's noise is known to whoever uses it.",
    },
    {
      from: "weight * weight * x",
      to: "weight * x",
      breaks: "What tasks vary by is clipped as their scores are.",
    },
  ],
  "labels/logistic-plan.ts": [
    {
      from: "Math.max(part * first, ",
      to: "Math.max(part * part * first, ",
      breaks: "The second evidence has its part.",
    },
    {
      from: "count > 1 ? FRACTIONS.firstScore * scores : scores",
      to: "FRACTIONS.firstScore * scores",
      breaks: "A single round spends the whole budget.",
    },
    {
      from: "(scores - firstScore) / (count - 1)",
      to: "scores - firstScore",
      breaks: "Later rounds share what the first leaves of the budget.",
    },
  ],
  "labels/effects/logistic-scores.ts": [
    {
      from: "multiply(back, multiply(white, value, n, n, 1), d, n, 1)",
      to: "multiply(back, value, d, n, 1)",
      breaks: "Measurements count by the error that they have.",
    },
    {
      from: "(Math.sqrt(g / price) - 1 / variance[k]!) / g",
      to: "Math.sqrt(g / price) / g",
      breaks: "The clip is spent on directions of which little is known.",
    },
    {
      from: "Math.min(1, clip / Math.max(Math.sqrt(square), 1e-12))",
      to: "1",
      breaks: "A clip leaves less than all of a score.",
    },
  ],
  "labels/logistic-state.ts": [
    {
      from: "deviation * clip,\n      ...([shape",
      to: "deviation,\n      ...([shape",
      breaks: "The noise of the evidence is in its units.",
    },
  ],
  "labels/logistic-tasks.ts": [
    {
      from: "sent(score).map((value, k) => value - center[k]!),\n        1,",
      to: "sent(score).map((value, k) => value - center[k]!),\n        9,",
      breaks: "Scores are within norm 1.",
    },
    {
      from: "clippedTo(\n        centered(surfaces[i]!)",
      to: "((values: Float64Array, _: number) => values)(\n        centered(surfaces[i]!)",
      breaks: "Evidence is within norm 1.",
    },
  ],
  "public-shared-prior.ts": [
    {
      from: "variances[d - 1] = START.intercept;",
      to: "",
      breaks: "A public prior has the intercept's own variance.",
    },
  ],
  "public-draws.ts": [
    {
      from: 'mode: "seeded", seed: SEED',
      to: 'mode: "secure"',
      breaks: "Public draws are the same for everyone.",
    },
  ],
  "records/record-between.ts": [
    {
      from: "(value * value) / Math.max(n, 1)",
      to: "value * value",
      breaks: "A task's squares are means over its rows.",
    },
    {
      from: "if (!(square > 0 && square < Infinity)) continue;",
      to: "if (!(square > 0)) continue;",
      breaks: "A row beyond all numbers adds nothing, and takes nothing of others' away.",
    },
  ],
  "records/record-means.ts": [
    {
      from: "own ? deviation ** 2 : deviation ** 2 / 2",
      to: "deviation ** 2",
      breaks: "Entries off the diagonal have half the variance.",
    },
  ],
  "records/record-effects.ts": [
    {
      from: "let sum = deviation ** 2 / 2;",
      to: "let sum = 0;",
      breaks: "The noise of a release is in the errors of the effects.",
    },
  ],
  "records/record-exchange.ts": [
    {
      from: "const kept = shared.count / this.#of.rows;",
      to: "const kept = 1;",
      breaks: "Rows count as clipping left them.",
    },
  ],
  "records/record-moments.ts": [
    {
      from: "addRecord(z, c, sum, 1 / (2 * partners));",
      to: "addRecord(z, c, sum, 1 / partners);",
      breaks: "All differences with a row together count as one pair.",
    },
    {
      from: "if (!(square > 0 && square < Infinity)) return;",
      to: "if (!(square > 0)) return;",
      breaks: "A difference beyond all numbers adds nothing, and takes nothing of others' away.",
    },
  ],
  "records/record-own.ts": [
    {
      from: "deviation * unit, rows[i]!",
      to: "deviation, rows[i]!",
      breaks: "A task knows the noise of its own release.",
    },
  ],
  "records/record-settings.ts": [
    {
      from: "export const FRACTIONS = { rows: 0.5, pairs: 0.45, between: 0.05 } as const;",
      to: "export const FRACTIONS = { rows: 0.6, pairs: 0.45, between: 0.05 } as const;",
      breaks: "The parts of the budget sum to 1.",
    },
  ],
  "records/record-variances.ts": [
    {
      from: "intercept * withConstant + slopes * products",
      to: "slopes * products",
      breaks: "Intercepts show in the features' scores.",
    },
  ],
  "undeclared/scale-plan.ts": [
    {
      from: "((2 * columns) / (mu * noise * m) ** 2)",
      to: "(columns / (mu * noise * m) ** 2)",
      breaks: "Votes are paid by what a replaced task moves of all columns.",
    },
  ],
  "undeclared/within-tasks.ts": [
    {
      from: "const root = Math.sqrt(mass * part);",
      to: "const root = Math.sqrt(part);",
      breaks: "Contrasts of rows have the noise of rows.",
    },
    {
      from: "level -= model[c]! * mean[c]!;",
      to: "level += model[c]! * mean[c]!;",
      breaks: "A task's level is at the means of its rows.",
    },
    {
      from: "given.noise[i]! / mass[i]!",
      to: "given.noise[i]!",
      breaks: "A level is as sure as the task has rows.",
    },
  ],
  "undeclared/own-means.ts": [
    {
      from: "constant[c] = -mean[c]!;",
      to: "constant[c] = mean[c]!;",
      breaks: "Log-odds are those of the rows as they were.",
    },
  ],
  "labels/priors/alone-in-own-units.ts": [
    {
      from: "wider[c * (d + 1)]! *= WIDER;",
      to: "wider[c * (d + 1)]! *= 1;",
      breaks: "Slopes of a task alone may be steeper.",
    },
    {
      from: "k < first ? prior : inOwnUnits(prior)",
      to: "prior",
      breaks: "What a task of labels learns alone does not depend on a vote.",
    },
  ],
  "undeclared/place-doubt.ts": [
    {
      from: "USELESS * cells[levels[k]!]!",
      to: "USELESS * cells[taken.level]!",
      breaks: "A wide place is never doubted for narrow ones inside it.",
    },
  ],
  "units/vote-doubt.ts": [
    {
      from: "(size.log + square / size.variance)",
      to: "(size.log - square / size.variance)",
      breaks: "A task far from the voted size doubts it.",
    },
  ],
  "clip-center.ts": [
    {
      from: "const weight = Math.min(1, this.#clip / Math.sqrt(square));",
      to: "const weight = 1;",
      breaks: "A score's center is that of the clipped scores.",
    },
  ],
  "squared/spread/score-center.ts": [
    {
      from: "seen[j]! < 0 ? -size : size",
      to: "size",
      breaks: "A score's center does not hang on the signs of singular vectors.",
    },
  ],
  "labels/evidence/shared-weight.ts": [
    {
      from: "const most = classes > 2 ? believed : believedOfKnown;",
      to: "const most = believedOfKnown;",
      breaks: "Of several classes what is shared counts no more than was tried.",
    },
    {
      from: "((1 + believed) * known) / learned - 1;",
      to: "(believed * known) / learned;",
      breaks: "With nothing known of the effects a task learns alone.",
    },
    {
      from: "1 + 2 * deviation + deviation ** 2 / m",
      to: "1",
      breaks: "Where noise drowns what tasks said, what was learned before counts.",
    },
    {
      from: "Math.min(Math.max(weight, WEIGHT.least), WEIGHT.most)",
      to: "weight",
      breaks: "Learning alone keeps some weight.",
    },
  ],
  "labels/evidence/synthetic-likelihood.ts": [
    {
      from: "deviation ** 2 + 1e-9",
      to: "1e-9",
      breaks: "Sums are compared with regard to their noise.",
    },
    {
      from: "if (!best || score > best.score) {",
      to: "if (!best) {",
      breaks: "An earlier round that a later one contradicts does not count.",
    },
  ],
  "squared/spread/clipped-scores.ts": [
    {
      from: "const held = Math.max(norm(own), clip);",
      to: "const held = clip;",
      breaks: "Scores of variances and of the shape are clipped.",
    },
  ],
  "squared/spread/squared-covariance.ts": [
    {
      from: "values.map((value) => (Math.max(0, value - COVARIANCE.cut * edge) * d) / m + floor)",
      to: "values.map((value) => (Math.max(0, value) * d) / m + floor)",
      breaks: "The noise's edge is cut off the correlations.",
    },
    {
      from: "(part * first.deviation) ** 2",
      to: "0",
      breaks: "The noise of a mean of two releases is that of both.",
    },
  ],
  "squared/squared-exchange.ts": [
    {
      from: "scaleVariances(state, log(tasksPart));",
      to: "",
      breaks: "Part of the first variances is the fixed effects' own.",
    },
  ],
  "squared/squared-location.ts": [
    {
      from: "this.#scoreBound / Math.max(norm(own.score), 1e-12),",
      to: "1,",
      breaks: "Scores are clipped with their information.",
    },
    {
      from: "out[i] = 2 * Math.min(Math.max(curvature / this.#curvatureBound, 0), 1) - 1;",
      to: "out[i] = 2 * Math.max(curvature / this.#curvatureBound, 0) - 1;",
      breaks: "Curvatures are held to their bound.",
    },
    {
      from: "const curvature = (sum[0]! + m) * unit;",
      to: "const curvature = sum[0]! * unit;",
      breaks: "Curvatures are read as they were sent: about the middle of their range.",
    },
  ],
  "squared/squared-plan.ts": [
    {
      from: "const score = 1 - information - curvature;",
      to: "const score = 1;",
      breaks: "A location's releases share its part of the budget.",
    },
  ],
  "squared/squared-settings.ts": [
    {
      from: "plain: { variances: 0.1, covariance: 0, shape: 0, location: 0.9 },",
      to: "plain: { variances: 0.2, covariance: 0, shape: 0, location: 0.9 },",
      breaks: "The parts of the last round sum to 1.",
    },
  ],
  "squared/spread/squared-shape.ts": [
    {
      from: "told[t]! += (weight * squares[t]!) / whole;",
      to: "",
      breaks: "Scores are around what is expected of them.",
    },
    {
      from: "const noise = m + (deviation * clip) ** 2;",
      to: "const noise = m;",
      breaks: "A step is as long as stands out of the noise.",
    },
  ],
  "units/own-units.ts": [
    {
      from: "units[(d - 1) * d + c] = -mean * factor;",
      to: "units[(d - 1) * d + c] = 0;",
      breaks: "Features in a task's own units are taken about its own mean.",
    },
    {
      from: "(freedom + most)",
      to: "freedom",
      breaks: "The voted size counts as half a row, in the number of rows, too.",
    },
    {
      from: "square < FAR_OFF.square",
      to: "square < 0",
      breaks: "A size that is far off counts for little, whatever was voted for.",
    },
  ],
  "squared/solve/alone-roots.ts": [
    {
      from: " / centers.length;",
      to: ";",
      breaks:
        "Weights of learning alone in either units have the sum 1, around however many centres.",
    },
    {
      from: "return (ratio * ratio) / (1 + ratio * ratio);",
      to: "return ratio / (1 + ratio);",
      breaks: "Few rows do not decide the units that a task learns alone in.",
    },
  ],
  "own-part.ts": [
    {
      from: "Math.min(1, errorPart(prior) / error) ** 2",
      to: "Math.min(1, errorPart(prior) / error)",
      breaks: "A model's own part grows with the square of the error's part.",
    },
    {
      from: "part * alone[k - shared]!",
      to: "part / alone.length",
      breaks: "What learns alone is weighed by evidence, also where its part is fixed beforehand.",
    },
  ],
  "labels/classes/left-out.ts": [
    {
      from: "(mean - sign * wider * missing)",
      to: "mean",
      breaks: "A row is predicted by the others, not by itself.",
    },
  ],
  "labels/classes/against-predicted.ts": [
    {
      from: "loss <= CERTAIN",
      to: "loss < 0",
      breaks: "A task whose classes are nearly certain keeps its first models.",
    },
    {
      from: "y[row] === label ? more : -more",
      to: "more",
      breaks: "What a line misses is added to its side of the label.",
    },
  ],
  "labels/classes/classes-exchange.ts": [
    {
      from: "(at % length)] = value / this.#root;",
      to: "(at % length)] = value;",
      breaks: "The uploads of all classes together have norm at most 1.",
    },
    {
      from: "(label + 1) * length), deviation * this.#root),",
      to: "(label + 1) * length), deviation),",
      breaks: "A class is told of the noise that it has.",
    },
  ],
  "squared/solve/squared-solve.ts": [
    {
      from: "const shared = common.many;",
      to: "const shared = common.few;",
      breaks: "Many rows tell spreads apart that are closer than a decade.",
    },
    {
      from: "Math.max(this.#pooled(this.#tasks.rowsOf(i)), differences?.doubt ?? 0)",
      to: "this.#pooled(this.#tasks.rowsOf(i))",
      breaks: "A vote that failed is not believed, whatever a few rows say.",
    },
    {
      from: "const [shared, alone, own] = [log(1 - part), log(part * (1 - inOwn)), log(part * inOwn)];",
      to: "const [shared, alone, own] = [0, log(1 - inOwn), log(inOwn)];",
      breaks: "Learning alone has its weight before the rows are seen.",
    },
  ],
  "squared/squared-state.ts": [
    {
      from: "diagonal([0, 1, 2].map(() => BELIEF.spread ** 2))",
      to: "diagonal([0, 1, 2].map(() => BELIEF.spread))",
      breaks: "The belief in variances has its spread.",
    },
  ],
  "squared/spread/squared-variances.ts": [
    {
      from: "m * f + (deviation * CLIP) ** 2 * f",
      to: "m * f",
      breaks: "A step of the variances knows their noise.",
    },
  ],
  "units/units.ts": [
    {
      from: ": Math.min(Math.max(z, -farthest), farthest);",
      to: ": z;",
      breaks: "One bad cell does not carry a model.",
    },
    {
      from: "untold ? FARTHEST_DIFFERENCE : FARTHEST;",
      to: "untold ? Infinity : FARTHEST;",
      breaks: "No task's rows end the fit of all after a release.",
    },
  ],
  "without-noise.ts": [
    {
      from: "sum[k]! += uploads[at]!;",
      to: "sum[k] = uploads[at]!;",
      breaks: "Without noise the sum is over all tasks.",
    },
  ],
  "squared/location-filter.ts": [
    {
      from: "Math.max(size + (seen - size) * drawn, INFORMATION.least * size)",
      to: "seen",
      breaks: "A noisy scale is drawn to what is expected.",
    },
  ],
  "undeclared/task-limits.ts": [
    {
      from: "if (own === 1) return writeOwnLimits(data, i, both);",
      to: "",
      breaks: "A task that denies the votes is held within what its own rows showed.",
    },
    {
      from: "(both[at] = heldIn(common, at % d, value))",
      to: "value",
      breaks: "A task that learns alone keeps to what was voted for as well.",
    },
    {
      from: "const reach = (REACH * targetSize) / Math.abs(slopes[c]!);",
      to: "const reach = Infinity;",
      breaks: "A steep slope takes no prediction many sizes beyond a task's rows.",
    },
    {
      from: "/ Math.abs(slopes[c]!)",
      to: "/ slopes[c]!",
      breaks: "So does one that falls.",
    },
  ],
  "undeclared/denied-votes.ts": [
    {
      from: "if (to - from < LEAST_ROWS) continue;",
      to: "",
      breaks: "A task of few rows denies no vote.",
    },
    {
      from: "if (!isDenied(left / n)) return undefined;",
      to: "",
      breaks: "A task denies votes only if rows that are left out say so.",
    },
    {
      from: "noise: Math.max(own, left / n - meanWidth(rows, covariance))",
      to: "noise: own",
      breaks: "The noise of a task that learns alone is not that of rows it was fitted to.",
    },
    {
      from: "models: models.models.slice(),",
      to: "models: models.models,",
      breaks: "Models that are given are not written into.",
    },
    {
      from: "const factor = (parts.length - 1) / parts.length;",
      to: "const factor = 1 / parts.length;",
      breaks: "A jackknife over k parts weighs its squares by (k - 1) / k.",
    },
    {
      from: "y[row]! - model[d]!",
      to: "y[row]!",
      breaks: "A row's error is about the intercept.",
    },
  ],
});
