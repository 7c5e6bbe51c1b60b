/**
 * What is voted on where columns have no declared size, and for which part of the budget: from public sizes alone.
 *
 * Where the budget allows it, tasks vote on the magnitude, the location and the spread of every such column. Where it does not, one release
 * may still do: how far a column's values lie apart within tasks. Where the votes on locations leave these open, the third vote is on that, too. Rows then enter by their differences within their task (the within
 * estimator of panel data, the contrasts of restricted maximum likelihood; of labels features about their task's mean), of which no location is needed: tasks
 * learn slopes together, and each keeps a level of its own.
 * @module
 */
import { counted } from "../../../../core/messages/counted.js";
import { OptionError } from "../../../../core/index.js";
import type { LossName } from "../../../tasks/losses.js";
import type { MixedRelease } from "../exchange.js";
import type { ScaleFigure } from "./column-scale.js";
import { LOCATION_BINS } from "./location-code.js";
import { MAGNITUDE } from "../../../votes/size-votes.js";
import { SPREAD } from "./scale-votes.js";

/** Part of mu^2 for all votes: what makes the noise small, but at least and at most. */
const PART = { least: 0.06, most: 0.5 } as const;

/** Noise of a count, as a part of m, that is aimed at. */
const AIMED_NOISE = 0.12;

/**
 * Mean rows of a task from which differences within tasks tell enough: with fewer, five of eight tables at eps 0.3 were worse
 * than learning alone.
 */
const LEAST_ROWS = 3;

/**
 * Differences are asked for in the place of spreads where the mean probability that a column lies elsewhere than the votes say, times a task's mean
 * rows, is more than this: the more rows a task has, the less it needs of the others' levels. On the 62 of 553 fits of raw tables that it
 * concerned, the error was 3.3 % below that of learning alone for .3, and at most 10 % above it for 81.
 */
const OPEN = 3;

/** A release of votes. */
export interface VoteRelease {
  readonly about: ScaleFigure;
  /** What is asked for in its place where earlier votes left open where columns lie. */
  readonly otherwise?: "differences";
  readonly bins: number;
  /** Part of the budget, beside those of the others. */
  readonly weight: number;
}

/** Votes, and the most noise of a count, as a part of m, at which they are asked for. */
interface Voting {
  readonly votes: readonly VoteRelease[];
  readonly most: number;
}

/** On a column's values as they are. A magnitude that is wrong spoils the votes after it. */
const WHOLE_ROWS: Voting = {
  votes: [
    { about: "magnitudes", bins: MAGNITUDE.bins, weight: 1.5 },
    { about: "locations", bins: LOCATION_BINS, weight: 1 },
    { about: "spreads", bins: SPREAD.bins, weight: 1 },
  ],
  most: 0.24,
};

/** On its differences within tasks. With noise up to .4 six more tables gained 6 % at eps 0.3, with .6 ten more lost 9. */
const DIFFERENCES: Voting = {
  votes: [{ about: "differences", bins: MAGNITUDE.bins, weight: 1 }],
  most: 1 / 3,
};

/**
 * Rows of a task from which differences within tasks are as good as three votes with more noise than this, and safer: of 420 fits of 35 tables at
 * such budgets the error changed by -.4 +- 1.1 %, and .7 % were more than a tenth worse than learning alone, for 4.5. Of labels: not tried.
 */
const SAFER = { rows: 5, noise: 0.21 } as const;

/** What a fit does about columns that nobody declared. */
export interface ScalePlan {
  /** In order; none where all are declared. */
  readonly votes: readonly VoteRelease[];
  /** Part of mu^2 that all of them take. */
  readonly part: number;
  /** Whether rows enter by their differences within their task, whatever the votes say. */
  readonly within: boolean;
  /** Mean doubt of the columns' locations from which they do so after all; absent: never. */
  readonly openFrom?: number;
}

/** Votes on rows as they are, the last of which may be on differences. */
const OPEN_ROWS: Voting = {
  ...WHOLE_ROWS,
  votes: WHOLE_ROWS.votes.map((vote) =>
    vote.about === "spreads"
      ? {
          ...vote,
          about: "spreads and differences",
          otherwise: "differences",
          bins: MAGNITUDE.bins,
        }
      : vote,
  ),
};

/** What is public of columns and tasks. */
export interface ScaleFacts {
  /** How many columns nobody declared, a target of numbers as one of them. */
  readonly columns: number;
  readonly m: number;
  /** Rows of a task, in the mean. */
  readonly meanRows: number;
  readonly loss: LossName;
  /** Whether there is a public prior, which of labels is of rows as they are, not of their differences; default none. */
  readonly hasPrior?: boolean;
}

const weightOf = (votes: readonly VoteRelease[]) =>
  votes.reduce((sum, { weight }) => sum + weight, 0);

/**
 * The plan of a fit of budget mu.
 * @throws OptionError where all votes would be lost in their noise.
 */
export function scalePlan(facts: ScaleFacts, mu: number): ScalePlan {
  const { columns, m, meanRows, loss, hasPrior = false } = facts;
  if (columns === 0) return { votes: [], part: 0, within: false };
  const partFor = ({ votes }: Voting, noise: number) =>
    weightOf(votes) * ((2 * columns) / (mu * noise * m) ** 2);
  const pays = (voting: Voting) => partFor(voting, voting.most) <= PART.most;
  const canDiffer = meanRows >= LEAST_ROWS && (loss === "squared" || !hasPrior);
  const safer = loss === "squared" && meanRows >= SAFER.rows;
  const most = safer ? SAFER.noise : WHOLE_ROWS.most;
  const within = canDiffer && !pays({ ...WHOLE_ROWS, most });
  const openFrom = canDiffer && !within ? OPEN / meanRows : Infinity;
  const mayOpen = openFrom < 1;
  const voting = within ? DIFFERENCES : mayOpen ? OPEN_ROWS : WHOLE_ROWS;
  if (!pays(voting)) {
    throw new OptionError(
      `epsilon: at this budget ${counted(m, "task")} ${m === 1 ? "is" : "are"} too few to learn the size of ` +
        `${counted(columns, "column")} that nobody declared ` +
        "(the target may be one of them). Declare their ranges, which costs nothing (--ranges FILE, which inspect " +
        '--out drafts; a schema in code), or, if they are of about unit size, say so: scale: "unit" (--scale unit).',
    );
  }
  const part = Math.min(Math.max(partFor(voting, AIMED_NOISE), PART.least), PART.most);
  return { votes: voting.votes, part, within, ...(mayOpen ? { openFrom } : {}) };
}

/** The releases of a plan's votes on so many columns. */
export function scaleReleases({ votes, part }: ScalePlan, columns: number): MixedRelease[] {
  const whole = weightOf(votes);
  return votes.map(({ about, bins, weight }) => ({
    label: `scale: ${about}`,
    statistic: "moment",
    length: columns * bins,
    fraction: (part * weight) / whole,
  }));
}
