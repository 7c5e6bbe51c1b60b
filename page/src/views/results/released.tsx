/**
 * What leaves the curator, beside what it would have been without noise.
 * @module
 */
import { Figure } from "../../charts/figure.js";
import { extentOf } from "../../../../src/charts/index.js";
import { HeatMap } from "../../charts/heat-map.js";
import { short } from "../../text/numbers.js";
import type { FitOutcome } from "../../work/messages.js";

/** In plain words, by the library's name. */
const STATISTIC_WORDS: Readonly<Record<string, string>> = {
  covariance:
    "How weights go together over all tasks, for each pair of features (or of directions found in earlier rounds)",
  "augmented-covariance":
    "How weights go together over all tasks, for each pair of features; the last row is the sum of all models",
  diagonal: "For each feature, how large its weights are over all tasks",
  vector: "For each feature, the sum of what the tasks want to change",
};

export function Released({ outcome: { release, featureNames } }: { outcome: FitOutcome }) {
  if (!release) return null;
  const { round, statistic, exact, noisy, columns } = release;
  const names = [...featureNames, "sum"];
  const extent = extentOf(exact);
  const sides = [
    ["Without noise: stays with the curator", exact],
    ["With noise: goes to every task", noisy],
  ] as const;
  const first = Math.min(columns, 12);
  return (
    <Figure
      title={`What is released in round ${round}`}
      caption={`${STATISTIC_WORDS[statistic] ?? "What the tasks share, summed up"}. Colours from ${short(-extent)} to ${short(extent)} on both sides.`}
      numbers={{
        columns: ["first row", "without noise", "with noise"],
        rows: Array.from({ length: first }, (_, j) => [
          names[j] ?? `${j + 1}`,
          exact[j]!,
          noisy[j]!,
        ]),
        note: "The first row of the picture, up to twelve numbers.",
      }}
    >
      <div class="pair">
        {sides.map(([title, values]) => (
          <div key={title}>
            <h4>{title}</h4>
            <HeatMap
              alt={`${title}: heat map of ${values.length} numbers.`}
              values={transposed(values, columns)}
              m={columns}
              extent={extent}
              taskNames={names}
              featureNames={values.length > columns ? names : ["all tasks"]}
              bare
            />
          </div>
        ))}
      </div>
    </Figure>
  );
}

/** A heat map draws one column for each row of its values. */
function transposed(values: Float32Array, columns: number): Float32Array {
  const rows = values.length / columns;
  return values.map((_, at) => values[(at % rows) * columns + Math.floor(at / rows)]!);
}
