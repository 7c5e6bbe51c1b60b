/**
 * How a fit of a random table is asked for.
 * @module
 */
import { pick, type Random } from "./draws.js";
import type { Writing } from "./random-columns.js";

/** A method, and what it can be asked for. */
interface MethodAsked {
  readonly flags: readonly string[];
  /** The most classes that it takes. */
  readonly classes: number;
  /** Whether it hides records. */
  readonly records?: true;
  /** Whether it refuses weights of rows. */
  readonly unweighted?: true;
}

const METHODS: readonly MethodAsked[] = [
  { flags: ["auto"], classes: 3 },
  { flags: ["mp-mixed"], classes: 3 },
  { flags: ["mp-mixed", "--scale", "auto"], classes: 3 },
  { flags: ["mp-mixed", "--unit", "record"], classes: 0, records: true },
  { flags: ["mp-mixed", "--unit", "both"], classes: 0, records: true },
  { flags: ["mp-low-rank", "--clip", "auto", "--normalize", "rows"], classes: 2 },
  { flags: ["mp-group-sparse", "--normalize", "rows"], classes: 2 },
  { flags: ["mp-feature-learning"], classes: 2, unweighted: true },
  { flags: ["mp-hierarchical"], classes: 2, unweighted: true },
  { flags: ["private-fedavg", "--rounds", "3"], classes: 3 },
  { flags: ["pmtl", "--rounds", "3"], classes: 3 },
  { flags: ["dp-aggregation", "--normalize", "rows"], classes: 2, unweighted: true },
  { flags: ["mp-subspace"], classes: 0 },
];

const CODES = ["-99", "unknown", "999"] as const;

/** What is asked for, and what the table must have for it. */
export interface Asked {
  readonly flags: readonly string[];
  readonly writing: Writing;
  readonly weights: boolean;
  readonly persons: boolean;
}

/** Flags that go with a target of so many classes, 0 of numbers. */
export function askedOf(
  random: Random,
  { classes, declared }: { readonly classes: number; readonly declared: boolean },
): Asked {
  const method = pick(
    random,
    METHODS.filter((one) => classes <= one.classes),
  );
  const comma = random() < 0.25;
  const codes = random() < 0.4 ? [pick(random, CODES), pick(random, CODES)] : [];
  const persons = method.records === true && random() < 0.5;
  const weights = !method.unweighted && !persons && random() < 0.2;
  const takesMoments = ["mp-mixed", "auto"].includes(method.flags[0]!) && !method.records;
  const streams =
    takesMoments && declared && classes === 0 && codes.length === 0 && !weights && random() < 0.3;
  const whole = [
    ...(random() < 0.3 ? ["--test-fraction", "0.3"] : []),
    ...(random() < 0.2 ? ["--missing", "center"] : []),
    ...(random() < 0.1 ? ["--sparse", "yes"] : []),
  ];
  const flags = [
    "--method",
    ...method.flags,
    "--epsilon",
    pick(random, ["0.5", "2", "20"]),
    ...(random() < 0.2 ? ["--adjacency", "zero-out"] : []),
    ...(comma ? ["--delimiter", ";", "--decimal", ","] : []),
    ...(codes.length > 0 ? ["--missing-codes", codes.join(",")] : []),
    ...(weights ? ["--weights", "weight"] : []),
    ...(persons ? ["--person", "who", "--tasks-per-person", "4"] : []),
    ...(streams ? ["--stream", "yes", "--missing", "center"] : whole),
  ];
  return { flags, writing: { comma, codes }, weights, persons };
}

/** Those that say which fit it is, each with a value. */
const OF_THE_METHOD = [
  "--method",
  "--epsilon",
  "--unit",
  "--stream",
  "--normalize",
  "--rounds",
  "--clip",
  "--scale",
  "--person",
  "--tasks-per-person",
];

/** What is asked for beside the method. */
export const besideMethod = (flags: readonly string[]): string[] =>
  flags.filter((flag, k) => ![flag, flags[k - 1] ?? ""].some((one) => OF_THE_METHOD.includes(one)));
