/**
 * Noise against signal, and the budget, over the rounds of a fit.
 * @module
 */
import { Bars } from "../../charts/bars.js";
import { Figure } from "../../charts/figure.js";
import { LineChart } from "../../charts/line-chart.js";
import { plural, short, shortPromise } from "../../text/numbers.js";
import type { FitOutcome, NoiseAndSignal } from "../../work/messages.js";

/** Up to this many releases are bars: a line through so few says nothing. */
const FEW = 3;

/** Names of what is released, in plain words. */
const RELEASED: Readonly<Record<string, string>> = {
  covariance: "sum of models",
  "augmented-covariance": "sum of models",
  diagonal: "weight of features",
  vector: "mean",
  moment: "squares and products",
};

/** Where a method releases statistics of several kinds, a line through them would say nothing. */
const severalKinds = (releases: readonly NoiseAndSignal[]) =>
  releases.some(({ statistic }) => statistic === "moment");

const HEIGHT = 220;

interface NoiseFigureProps {
  readonly releases: readonly NoiseAndSignal[];
  readonly round: number | undefined;
}

/** How large the noise was, beside what it hides. */
export function NoiseFigure({ releases, round }: NoiseFigureProps) {
  return (
    <Figure
      title="Noise against signal"
      caption="The size of what the tasks share in a round, and of the noise added to it. The signal is computed without noise: for the curator's eyes only."
      numbers={{
        columns: ["round", "released", "signal", "noise"],
        rows: releases.map(({ round: r, noise, signal }, k) => [
          r,
          nameOf(releases, k),
          signal,
          noise,
        ]),
      }}
    >
      {releases.length <= FEW ? (
        <NoiseBars releases={releases} />
      ) : (
        <NoiseLines releases={releases} round={round} />
      )}
    </Figure>
  );
}

/** A vector after other releases holds the tasks' votes on a setting. */
function nameOf(releases: readonly NoiseAndSignal[], k: number): string {
  const { statistic } = releases[k]!;
  if (statistic === "vector" && severalKinds(releases)) return "scores";
  if (statistic === "vector" && releases[0]!.statistic !== "vector") return "votes on a setting";
  return RELEASED[statistic] ?? statistic;
}

function NoiseBars({ releases }: { releases: readonly NoiseAndSignal[] }) {
  if (releases.length === 0) return <p class="small">Nothing was released round by round.</p>;
  const most = Math.max(...releases.flatMap(({ noise, signal }) => [noise, signal]));
  return (
    <Bars
      label="Size of signal and noise"
      most={most}
      bars={releases.flatMap(({ round, noise, signal }, k) => [
        { name: `Round ${round}, signal`, note: nameOf(releases, k), look: "ours", value: signal },
        { name: `Round ${round}, noise`, look: "noise", value: noise },
      ])}
    />
  );
}

function NoiseLines({ releases, round }: NoiseFigureProps) {
  const scattered = severalKinds(releases);
  const main = releases.filter(
    ({ statistic }) => scattered || statistic === releases[0]!.statistic,
  );
  const last = main.at(-1)!;
  const points = (key: "noise" | "signal") =>
    main.map((release) => ({ x: release.round, y: release[key] }));
  return (
    <LineChart
      alt={`Line chart over ${plural(main.length, "round")}: in the last, signal ${short(last.signal)}, noise ${short(last.noise)}.`}
      x={{ title: "round", scale: "linear", whole: true, range: [1, last.round] }}
      y={{ title: "size", scale: "log" }}
      series={[
        { name: "signal", look: "ours", scattered, points: points("signal") },
        { name: "noise", look: "noise", scattered, points: points("noise") },
      ]}
      mark={markOf(round)}
      height={HEIGHT}
    />
  );
}

/** How eps was spent. */
export function BudgetFigure({
  outcome: { spent, budget },
  round,
}: {
  outcome: FitOutcome;
  round: number | undefined;
}) {
  const points = spent.map((value, k) => [k + 1, value] as const);
  return (
    <Figure
      title="Budget spent"
      caption="Epsilon after each release, as the ledger charges it before the noise is drawn. Rounded up, so it can stand at the whole budget early."
      numbers={{ columns: ["release", "epsilon spent"], rows: points }}
    >
      {spent.length <= FEW ? (
        <Bars
          label="Epsilon spent after each release"
          most={budget?.epsilon ?? 1}
          bars={points.map(([k, value]) => ({ name: `After release ${k}`, look: "ours", value }))}
        />
      ) : (
        <LineChart
          alt={`Line chart of epsilon spent over ${spent.length} releases, up to ${shortPromise(spent.at(-1)!)}.`}
          x={{ title: "release", scale: "linear", whole: true, range: [1, spent.length] }}
          y={{ title: "epsilon", scale: "linear", range: [0, 1.1 * budget!.epsilon] }}
          series={[{ name: "spent", look: "ours", points: points.map(([x, y]) => ({ x, y })) }]}
          references={[{ name: "budget", look: "alone", y: budget!.epsilon }]}
          mark={markOf(round)}
          height={HEIGHT}
        />
      )}
    </Figure>
  );
}

function markOf(round: number | undefined) {
  return round === undefined ? undefined : { x: round, label: `round ${round}` };
}
