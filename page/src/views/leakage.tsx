/**
 * What leaks: one task with a model unlike the others, under no protection, the papers', and ours.
 * @module
 */
import { useEffect, useRef } from "preact/hooks";
import { Bars } from "../charts/bars.js";
import { Figure } from "../charts/figure.js";
import { HeatMap } from "../charts/heat-map.js";
import { LineChart } from "../charts/line-chart.js";
import {
  demonstrate,
  leakage,
  leakageEpsilon,
  leakageProblem,
  leakageWorking,
  type LeakageState,
} from "../state/leakage.js";
import { percent, short } from "../text/numbers.js";
import { EpsilonSlider } from "./epsilon-slider.js";
import { Problem } from "./problem.js";

/** Right end of the slider: where hardly anything is protected. */
const MOST = 5000;

/** Runs once the section comes near the screen: whoever never scrolls here pays nothing. */
function useFirstSight(action: () => void) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        action();
      },
      { rootMargin: "300px" },
    );
    observer.observe(ref.current!);
    return () => observer.disconnect();
  }, []);
  return ref;
}

export function Leakage() {
  const ref = useFirstSight(() => void demonstrate());
  const found = leakage.value;
  return (
    <section ref={ref} id="leakage" tabIndex={-1} class="leakage" aria-labelledby="leakage-title">
      <h2 id="leakage-title">What leaks without protection</h2>
      <p class="lead">
        Ten tasks learn together; the last one has a model a hundred times larger than the others:
        think of a hospital with a rare disease. The other nine want to know it. All they do is look
        at how their own models changed in one round.
      </p>
      <EpsilonSlider
        id="leakage-epsilon"
        label="Epsilon of the round"
        most={MOST}
        value={leakageEpsilon.value}
        onInput={(value) => (leakageEpsilon.value = value)}
        onSettled={() => void demonstrate()}
      />
      <Problem text={leakageProblem.value} retry={() => void demonstrate()} />
      <div aria-busy={leakageWorking.value}>
        {found && <Findings {...found} />}
        {!found && leakageWorking.value && <p class="waiting">The attack is running…</p>}
      </div>
    </section>
  );
}

const NAMES = Array.from({ length: 10 }, (_, i) =>
  i === 9 ? "the secret model" : `task ${i + 1}`,
);
const FEATURES = Array.from({ length: 5 }, (_, j) => `x${j + 1}`);

function Findings({ epsilon, found, sweep, certainty }: LeakageState) {
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
            note: `epsilon ${short(epsilon)}`,
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
      <Figure
        title="The first attack at every epsilon"
        caption="Both kinds of noise stop it at any budget worth the name. They differ in what they can prove, which is the second attack."
        numbers={{
          columns: ["epsilon", "found, papers' noise (%)", "found, our noise (%)"],
          rows: sweep.ours.map((point, k) => [
            point.epsilon,
            100 * sweep.paper[k]!.found,
            100 * point.found,
          ]),
        }}
      >
        <LineChart
          alt={`Line chart: percent of tasks that read off the secret against epsilon. It rises from 0 at epsilon 1 to ${Math.round(100 * sweep.ours.at(-1)!.found)} at ${sweep.ours.at(-1)!.epsilon}.`}
          x={{ title: "epsilon", scale: "log", range: [0.05, MOST] }}
          y={{ title: "% found", scale: "linear", range: [0, 105] }}
          series={[
            {
              name: "our noise",
              look: "ours",
              points: sweep.ours.map((point) => ({ x: point.epsilon, y: 100 * point.found })),
            },
            {
              name: "the papers' noise (nominal epsilon)",
              look: "noise",
              points: sweep.paper.map((point) => ({ x: point.epsilon, y: 100 * point.found })),
            },
          ]}
          mark={{ x: leakageEpsilon.value, label: `epsilon ${short(leakageEpsilon.value)}` }}
          height={200}
        />
      </Figure>
      <h3>Second attack: be certain whether a task took part</h3>
      <p>
        The same round is played {certainty.paper.trials.toLocaleString("en-US")} times with and
        without one task. Is there an outcome that gives it away? The papers' noise only ever adds,
        never takes away: a sum that is too small in the task's direction proves that it was not
        there.
      </p>
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">Noise</th>
            <th scope="col">Claimed</th>
            <th scope="col">Proven by the attack</th>
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        <tbody>
          <CertaintyRow name="The papers'" outcome={certainty.paper} />
          <CertaintyRow name="Ours" outcome={certainty.ours} />
        </tbody>
      </table>
      <p class="small">
        Delta is how often the promise of epsilon {short(epsilon)} is broken; both claim never. The
        attack proves a delta at least this large, at {percent(certainty.paper.confidence)}{" "}
        confidence. That no attack succeeds proves nothing by itself: ours has a mathematical proof,
        given in the library's source.
      </p>
    </>
  );
}

function CertaintyRow({
  name,
  outcome,
}: {
  name: string;
  outcome: LeakageState["certainty"]["paper"];
}) {
  const violated = outcome.verdict === "violated";
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>delta {short(outcome.claimedDelta)}</td>
      <td>
        {violated ? `delta at least ${short(outcome.provenDelta)}` : "nothing beyond the claim"}
      </td>
      <td>{violated ? "✗ does not hold" : "✓ withstood"}</td>
    </tr>
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
