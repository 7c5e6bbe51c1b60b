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
        methods: [[method, changed]],
        epsilons: [epsilon],
        data,
      });
      places.push({ x: value, rows });
    }
    points.push(...pointsOver(places, "nmse", () => acceleration));
  }
  return points;
}

/** The text's own noise, whose eps is nominal. */
const PRINTED = { mechanism: "wishart" };

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
    name,
    title,
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

/** As printed: eps 0.1, the newest text's noise; `older-noise-alpha` has the older one's. */
export async function budgetAlphaTenth(harness) {
  const name = "budget-alpha-tenth";
  return [
    await alphaFigure(harness, {
      name,
      epsilon: 0.1,
      extra: PRINTED,
      title: "Budget exponent alpha at eps 0.1",
      about: "Algorithm 2 with one-sided Wishart noise of scale K^2 / (2 eps), nominal",
    }),
  ];
}

const RATIOS = [0.8, 0.9, 0.95, 1, 1.05, 1.1];

/** A figure of the ratios Q with mu, without and with acceleration. */
async function ratioFigure(harness, { name, title, epsilon, mu, about, extra }) {
  const points = await sweep(
    harness,
    // The name under which the first figure's cells have always been kept.
    name === "budget-Q" ? "budget-q" : name,
    RATIOS,
    (ratio) => ({ kind: "geometric", ratio }),
    ["none", "strongly-convex"],
    { strongConvexity: mu, ...extra },
    epsilon,
  );
  return curveFigure({
    name,
    title,
    caption: `Accuracy of ${about} with strong convexity mu = ${mu} at eps ${epsilon} when round t may spend a share of Q^-t; low-rank data, mean and standard error.`,
    alt: "Line chart of nMSE against the ratio Q, without and with acceleration.",
    command: harness.command(name),
    x: { title: "Q" },
    y: { title: "nMSE (lower is better)" },
    legend: "acceleration",
    points,
  });
}

export async function budgetQ(harness) {
  const about = "mp-low-rank";
  const common = { name: "budget-Q", title: "Budget ratio Q", mu: 3e-4, about };
  return [await ratioFigure(harness, { ...common, epsilon: EPSILON })];
}

/** As printed: eps 0.1, mu = 1e-3, the newest text's noise. */
export async function budgetQTenth(harness) {
  return [
    await ratioFigure(harness, {
      name: "budget-Q-tenth",
      epsilon: 0.1,
      mu: 1e-3,
      extra: PRINTED,
      title: "Budget ratio Q at eps 0.1, mu = 0.001",
      about: "Algorithm 2 with one-sided Wishart noise of scale K^2 / (2 eps), nominal,",
    }),
  ];
}
