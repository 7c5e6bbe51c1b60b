/**
 * `account`: what a list of releases costs, what noise a budget needs, or what it can be expected to buy.
 * @module
 */
import { OptionError } from "../../core/errors.js";
import {
  accountForDelta,
  accountForEpsilon,
  createMechanism,
  epsilonOf,
  toDpEvent,
  type DpEventTuple,
  type Mechanism,
  type MechanismName,
  type PrivacyEvent,
} from "../../privacy/index.js";
import { mechanismNamed } from "../../privacy/mechanisms/catalogue.js";
import { scheduleWeights } from "../../privacy/schedule.js";
import { planReleases } from "../../learning/release/plan-releases.js";
import { writeFileAtomically } from "../../node/files/write-atomically.js";
import { readEvents, type ReadEvents } from "../account/events.js";
import { describeCost, type Figures } from "../account/cost-text.js";
import { accountOptions, settledDelta, type SettledValues } from "../account/options.js";
import type { Hold } from "../account/statement.js";
import { refuseUnused } from "../account/refuse-unused.js";
import { defineCommand } from "../options/command.js";
import { epsilonPlot } from "../account/epsilon-plot.js";

function mechanismOf(name: MechanismName, values: SettledValues): Mechanism {
  const { tasks = 2, features = 1, clip, adjacency } = values;
  const { samplingRate, picks, degreesOfFreedom, discrete } = values;
  const { statistics, budgetKind } = mechanismNamed(name);
  return createMechanism({
    name,
    statistic: values.statistic ?? statistics[0],
    tasks,
    dimension: features,
    clip,
    adjacency,
    discrete,
    delta: budgetKind === "mu" ? (values.delta ?? 0.5) : 0,
    ...(degreesOfFreedom === undefined ? {} : { degreesOfFreedom }),
    ...(samplingRate === undefined ? {} : { sampling: { kind: "poisson", rate: samplingRate } }),
    ...(picks === undefined ? {} : { sampling: { kind: "allocation", picks } }),
  });
}

/**
 * The missing one of epsilon and delta.
 * @param own delta of the releases' own budget, which is taken where neither is given.
 */
function cost(events: PrivacyEvent[], values: SettledValues, own?: number): Figures {
  const { epsilon, accountant } = values;
  const delta = values.delta ?? (epsilon === undefined ? own : undefined);
  if ((epsilon === undefined) === (delta === undefined)) {
    throw new OptionError("--epsilon, --delta: expected one of them; the other is computed.");
  }
  const account =
    delta === undefined
      ? accountForEpsilon(events, { epsilon: epsilon!, accountant })
      : accountForDelta(events, { delta, accountant });
  return { events, ...account };
}

/** The noise that the budget needs: the plan of a stage of that mechanism, as a fit makes it. */
function plan(mechanism: Mechanism, values: SettledValues): Figures {
  const { epsilon, delta, rounds = 1, accountant, tasks: m = 2, features: d = 1, clip } = values;
  const { schedule = { kind: "constant" } } = values;
  if (epsilon === undefined || delta === undefined) {
    throw new OptionError("--noise, or both --epsilon and --delta, are needed with --mechanism.");
  }
  const { name, adjacency, statistic } = mechanism;
  const { main, ledger } = planReleases({
    options: { epsilon, delta, adjacency, mechanism: name, noise: "auto", random: UNUSED },
    tasks: m,
    stages: [{ statistic, m, d, clip, rounds, mechanism, schedule }],
    accountant,
  });
  const budgets = Array.from(main.budgets);
  const noise = budgets.map((budget) => mechanism.noiseScale(budget));
  const scale = budgets[0]! / scheduleWeights(schedule, 1)[0]!;
  return {
    events: [...main.events],
    epsilon,
    delta,
    accountant: ledger.accountant,
    more: { scale, budgets, noise, nominal: ledger.nominal },
  };
}

/** What rounds of this mechanism cost, or the noise that they need. */
function figuresOf(mechanism: Mechanism, values: SettledValues): Figures {
  if (values.noise === undefined) return plan(mechanism, values);
  // The noise of a budget b is proportional to 1 / b.
  const budget = mechanism.noiseScale(1) / values.noise;
  const { rounds = 1 } = values;
  const alike = () => new Array<PrivacyEvent>(rounds).fill(mechanism.event(budget));
  return cost([...(mechanism.events?.(budget, rounds) ?? alike())], values);
}

/** A source of noise for plans that want one: nothing is drawn here. */
const UNUSED = { mode: "secure" } as const;

/** At most `count` numbers of rounds from 1 to T. */
function checkpoints(total: number, count: number): number[] {
  const steps = Array.from({ length: count }, (_, i) => Math.round(((i + 1) * total) / count));
  return [...new Set([1, ...steps])].filter((t) => t >= 1 && t <= total);
}

async function plotRounds(
  path: string,
  { events, delta }: Figures,
  { accountant }: SettledValues,
): Promise<void> {
  const curve = checkpoints(events.length, 16).map((round) => ({
    round,
    epsilon: epsilonOf(events.slice(0, round), { delta, accountant }),
  }));
  await writeFileAtomically(path, epsilonPlot(curve, delta));
}

async function writeDpEvent(path: string, events: readonly PrivacyEvent[]): Promise<void> {
  let event: DpEventTuple;
  try {
    event = toDpEvent(events);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new OptionError(`--dp-event: ${error.message}`, { cause: error });
  }
  await writeFileAtomically(path, `${JSON.stringify(event, null, 2)}\n`);
}

/** Which of the sizes are missing where some were given. */
function stillMissing(sizes: Readonly<Record<string, number | undefined>>): string {
  const names = Object.keys(sizes);
  const missing = names.filter((name) => sizes[name] === undefined);
  if (missing.length === names.length) return "";
  const flags = missing.map((name) => `--${name}`).join(" and ");
  return `: ${flags} ${missing.length === 1 ? "is" : "are"} missing`;
}

/** The comparison is loaded with a command that reads models: in a chunk of its own it would be one more file at every start of the library. */
const heldAsRead: Hold = async (read) => (await import("./summary.js")).heldStatement(read);

export const accountCommand = defineCommand({
  options: accountOptions,
  examples: [
    "account --tasks 3 --rows 20 --features 5 --epsilon 1",
    "account --unit record --tasks 10 --rows 20 --features 5 --epsilon 1",
    "account --unit record --method pmtl --rounds 50 --tasks 10 --rows 20 --features 5 --epsilon 1",
    "account --mechanism gaussian --rounds 30 --epsilon 1 --delta 1e-5",
    "account --mechanism gaussian --rounds 30 --noise 20 --delta 1e-5",
    "account --events ledger.json --delta 1e-5 --accountant pld",
    "account --mechanism gaussian --rounds 30 --noise 20 --delta 1e-5 --dp-event releases.json",
  ],
  run: async (given) => {
    const { events: paths, mechanism: name, tasks, features, epsilon } = given;
    const sized = tasks !== undefined && features !== undefined && epsilon !== undefined;
    if (paths === undefined && name === undefined && sized) {
      refuseUnused(given);
      // All methods are asked: accounting needs none of them.
      const sizes = { ...given, tasks, features, epsilon };
      const { unit } = given;
      if (unit === "record" || unit === "both") {
        const { accountRecords } = await import("../account/records.js");
        return accountRecords({ ...sizes, unit });
      }
      const { accountProspects } = await import("../account/prospects.js");
      return accountProspects(sizes);
    }
    if ((paths === undefined) === (name === undefined)) {
      throw new OptionError(
        "--events, --mechanism: expected one of them, or --tasks, --features and --epsilon for what a budget can buy" +
          (paths === undefined ? stillMissing({ tasks, features, epsilon }) : "") +
          ".",
      );
    }
    refuseUnused(given);
    // A mechanism's clip bounds what a task uploads.
    const about =
      paths === undefined ? ({ unit: "task" } as const) : await readEvents(paths, heldAsRead);
    const values = settledDelta(given, about.unit);
    const mechanism = name === undefined ? undefined : mechanismOf(name, values);
    const figures = mechanism
      ? figuresOf(mechanism, values)
      : cost((about as ReadEvents).events, values, (about as ReadEvents).delta);
    if (values.dpEvent !== undefined) {
      await writeDpEvent(values.dpEvent, figures.events);
    }
    if (values.plot !== undefined) await plotRounds(values.plot, figures, values);
    return describeCost(figures, mechanism, values, about);
  },
});
