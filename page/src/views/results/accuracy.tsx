/**
 * How good the models are, against learning alone and against giving up privacy.
 * @module
 */
import { Bars, type Bar } from "../../charts/bars.js";
import { dataSet } from "../../state/data.js";
import { computeReferences, references } from "../../state/references.js";
import { run, type Run } from "../../state/run.js";
import { verdictOf, type Verdict } from "../../text/guarantee-words.js";
import { metricOf, REFERENCE_WORDS } from "../../text/metrics.js";
import { percent, short, shortPromise } from "../../text/numbers.js";
import { Problem } from "../parts/problem.js";

export function Accuracy() {
  const metric = metricOf(dataSet.value!.data.loss);
  const { outcome, settings } = run.value!;
  const value = metric.of(outcome.scores);
  const { alone, together, working, problem } = references.value;
  const known = [alone, together].map((reference) => reference && metric.of(reference.scores));
  const verdict = verdictOf(outcome.guarantee);
  const holds = verdict === "holds";
  const bars: Bar[] = [
    { name: "Each task alone", look: "alone", value: known[0]! },
    {
      name: OUTCOMES[verdict].bar,
      ...(verdict === "none"
        ? {}
        : { note: `${holds ? "" : "nominal "}epsilon ${shortPromise(settings.epsilon)}` }),
      look: holds ? "ours" : "noise",
      value,
    },
    {
      name: "Together, without privacy",
      ...(together ? { note: REFERENCE_WORDS[together.method] ?? together.method } : {}),
      look: "together",
      value: known[1]!,
    },
  ];
  const most = metric.lowerIsBetter
    ? Math.max(...bars.map((bar) => bar.value ?? 0)) * 1.02 || 1
    : 1;
  return (
    <section aria-labelledby="accuracy-title">
      <h2 id="accuracy-title">Accuracy</h2>
      <p class="lead-result">{accuracySentence(run.value!)}</p>
      <Bars
        pending={working}
        bars={bars}
        most={most}
        label={`${metric.name}, on rows that no fit saw`}
      />
      <p class="small">
        {metric.name.charAt(0).toUpperCase() + metric.name.slice(1)}:{" "}
        {metric.reading(outcome.scores)} Measured on rows that no fit saw. The settings of the two
        comparisons are chosen by cross-validation, which needs no privacy.
      </p>
      <Problem
        text={problem && `The comparison is incomplete. ${problem}`}
        retry={() => void computeReferences()}
      />
    </section>
  );
}

const NOISY = { bar: "Together, noisy, not private", models: "The noisy, not private, models" };

/** How models are called by what protects them. */
const OUTCOMES: Readonly<Record<Verdict, { readonly bar: string; readonly models: string }>> = {
  holds: { bar: "Together, private", models: "The private models" },
  "does-not-hold": NOISY,
  reproducible: NOISY,
  none: { bar: "Nothing shared", models: "Nothing was shared: the tasks' own models" },
};

/** What a fit comes down to. */
export function accuracySentence({ outcome }: Run): string {
  const metric = metricOf(dataSet.value!.data.loss);
  const value = metric.of(outcome.scores);
  const { alone, together } = references.value;
  const measured = `${OUTCOMES[verdictOf(outcome.guarantee)].models} reach ${metric.short} ${short(value)}.`;
  if (!alone) return measured;
  if (outcome.guarantee.kind === "none") return measured;
  const start = metric.of(alone.scores);
  const gain = metric.lowerIsBetter ? start - value : value - start;
  if (gain < 0) {
    return `${measured} That is worse than each task alone (${short(start)}): at this budget the noise outweighs what is shared, or the method does not suit the data.`;
  }
  if (!together) return `${measured} Each task alone reaches ${short(start)}.`;
  const end = metric.of(together.scores);
  const whole = metric.lowerIsBetter ? start - end : end - start;
  if (!(whole > 0)) return `${measured} Each task alone reaches ${short(start)}.`;
  return gain >= whole
    ? `${measured} That is as good as learning together without any privacy (${short(end)}).`
    : `${measured} That is ${percent(gain / whole)} of what could be gained by learning together without privacy.`;
}
