/**
 * How a budget is spread over rounds: exponents alpha of t^alpha, ratios Q of Q^-t.
 */
import { curveFigure } from "../../../build/modules/report/index.js";
import { pointsOver } from "../harness.js";
import { methodsOf } from "../settings.js";

const EPSILON = 3;
const data = { kind: "simulation", options: { pattern: "low-rank" } };

async function sweep(harness, name, values, schedule, accelerations, extra, epsilon = EPSILON) {
  const [[method, options]] = methodsOf("low-rank", ["mp-low-rank"]);
  const points = [];
  for (const acceleration of accelerations) {
    const places = [];
    for (const value of values) {
      const changed = { ...options, ...extra, acceleration, schedule: schedule(value) };
      const rows = await harness.evaluate(`${name}-${acceleration}-${value}`, {
        ...{ methods: [[method, changed]], epsilons: [epsilon], data },
      });
      places.push({ x: value, rows });
    }
    points.push(...pointsOver(places, "nmse", () => acceleration));
  }
  return points;
}

/** A figure of the exponents alpha, without and with acceleration. */
export async function alphaFigure(harness, { name, title, epsilon, about, extra }) {
  const points = await sweep(
    harness,
    name,
    [-1, -0.5, 0, 0.4, 0.8, 1.5, 3],
    (exponent) => ({ kind: "polynomial", exponent }),
    ["none", "convex"],
    extra,
    epsilon,
  );
  return curveFigure({
    ...{ name, title },
    caption: `Accuracy at eps ${epsilon} when round t may spend a share of t^alpha: ${about}; low-rank data, mean and standard error.`,
    alt: "Line chart of nMSE against the exponent alpha, without and with acceleration.",
    command: harness.command(name),
    x: { title: "alpha" },
    y: { title: "nMSE (lower is better)" },
    legend: "acceleration",
    points,
  });
}

export async function budgetAlpha(harness) {
  return [
    await alphaFigure(harness, {
      name: "budget-alpha",
      title: "Budget exponent alpha",
      epsilon: EPSILON,
      about: "mp-low-rank",
    }),
  ];
}

export async function budgetQ(harness) {
  const points = await sweep(
    harness,
    "budget-q",
    [0.8, 0.9, 0.95, 1, 1.05, 1.1],
    (ratio) => ({ kind: "geometric", ratio }),
    ["none", "strongly-convex"],
    { strongConvexity: 3e-4 },
  );
  const figure = curveFigure({
    name: "budget-Q",
    title: "Budget ratio Q",
    caption: `Accuracy of mp-low-rank with strong convexity mu = 0.0003 at eps ${EPSILON} when round t may spend a share of Q^-t; low-rank data, mean and standard error.`,
    alt: "Line chart of nMSE against the ratio Q, without and with acceleration.",
    command: harness.command("budget-Q"),
    x: { title: "Q" },
    y: { title: "nMSE (lower is better)" },
    legend: "acceleration",
    points,
  });
  return [figure];
}
