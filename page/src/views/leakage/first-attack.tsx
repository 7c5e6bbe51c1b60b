/**
 * The first attack: how many tasks can read the secret off their own models, at one epsilon and at every.
 * @module
 */
import { Bars } from "../../charts/bars.js";
import { Figure } from "../../charts/figure.js";
import { HeatMap } from "../../charts/heat-map.js";
import { LineChart } from "../../charts/line-chart.js";
import { LARGEST_EPSILON, leakageEpsilon, type LeakageState } from "../../state/leakage.js";
import { short, shortPromise } from "../../text/numbers.js";

const NAMES = Array.from({ length: 10 }, (_, i) =>
  i === 9 ? "the secret model" : `task ${i + 1}`,
);
const FEATURES = Array.from({ length: 5 }, (_, j) => `x${j + 1}`);

export function FirstAttack({ epsilon, found, sweep }: LeakageState) {
  const { none, paper, ours } = found;
  const panels = [
    ["Before the round", none.before, `on average ${short(none.angleBefore)}° from the secret`],
    ["No protection", none.after, `${short(none.angleAfter)}° from the secret`],
    ["The papers' noise", paper.after, `${short(paper.angleAfter)}° from the secret`],
    ["Our noise", ours.after, `${short(ours.angleAfter)}° from the secret`],
  ] as const;
  return (
    <>
      <h3>First attack: read the secret off one's own model</h3>
      <div class="panels">
        {panels.map(([title, values, words]) => (
          <figure key={title}>
            <h4>{title}</h4>
            <HeatMap
              alt={`${title}: ten models of five weights, each scaled to length 1; ${words}.`}
              values={directions(values, none.m)}
              m={none.m}
              extent={1}
              taskNames={NAMES}
              featureNames={FEATURES}
              bare
            />
            <figcaption>{words}</figcaption>
          </figure>
        ))}
      </div>
      <p>
        Each column is one task's model, scaled to length 1 so that its direction shows; the last is
        the secret. Without protection the others become copies of it. Figures are means over{" "}
        {none.examples} examples.
      </p>
      <Bars
        label="Tasks that can read off the secret's direction within 5 degrees, in percent"
        most={100}
        unit=" %"
        bars={[
          { name: "No protection", look: "noise", value: Math.round(100 * none.found) },
          {
            name: "The papers' noise",
            note: `nominal epsilon ${short(epsilon)}`,
            look: "alone",
            value: Math.round(100 * paper.found),
          },
          {
            name: "Our noise",
            note: `epsilon ${shortPromise(epsilon)}`,
            look: "ours",
            value: Math.round(100 * ours.found),
          },
        ]}
      />
      <p class="small">
        The attack's success: percent of the other tasks whose model ends up within 5 degrees of the
        secret's direction. The protected round turned the others' models by {short(ours.turned)}°
        on average.
      </p>
      <FoundAtEveryEpsilon {...sweep} />
    </>
  );
}

function FoundAtEveryEpsilon({ paper, ours }: LeakageState["sweep"]) {
  return (
    <Figure
      title="The first attack at every epsilon"
      caption="Both kinds of noise stop it at any budget worth the name. They differ in what they can prove, which is the second attack."
      numbers={{
        columns: ["epsilon", "found, papers' noise (%)", "found, our noise (%)"],
        rows: ours.map((point, k) => [point.epsilon, 100 * paper[k]!.found, 100 * point.found]),
      }}
    >
      <LineChart
        alt={`Line chart: percent of tasks that read off the secret against epsilon. It rises from 0 at epsilon 1 to ${Math.round(100 * ours.at(-1)!.found)} at ${ours.at(-1)!.epsilon}.`}
        x={{ title: "epsilon", scale: "log", range: [0.05, LARGEST_EPSILON] }}
        y={{ title: "% found", scale: "linear", range: [0, 105] }}
        series={[
          {
            name: "our noise",
            look: "ours",
            points: ours.map((point) => ({ x: point.epsilon, y: 100 * point.found })),
          },
          {
            name: "the papers' noise (nominal epsilon)",
            look: "noise",
            points: paper.map((point) => ({ x: point.epsilon, y: 100 * point.found })),
          },
        ]}
        mark={{ x: leakageEpsilon.value, label: `epsilon ${shortPromise(leakageEpsilon.value)}` }}
        height={200}
      />
    </Figure>
  );
}

/** Every model scaled to length 1. */
function directions(values: Float32Array, m: number): Float32Array {
  const d = values.length / m;
  const scaled = values.slice();
  for (let i = 0; i < m; i++) {
    const model = scaled.subarray(i * d, (i + 1) * d);
    const length = Math.hypot(...model) || 1;
    for (let j = 0; j < d; j++) model[j]! /= length;
  }
  return scaled;
}
