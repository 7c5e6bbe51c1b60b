/**
 * The plan of a run, as everyone reads it.
 * @module
 */
import type { FileFormat } from "../../../core/file-format.js";
import type { DataSchema, Label } from "../../../data/index.js";
import type {
  AggregationInput,
  PlannedAggregation,
} from "../../secure-aggregation/plan/planned.js";
import type { PlannedRelays } from "../../relayed-sums/plan/planned.js";
import type { AggregatorsInput, PlannedAggregators } from "../../verified-sums/plan/planned.js";

/** Agreed by all, shown to all. */
export interface Plan {
  /** Name of the layout. */
  readonly format: "mp-mtl-plan";
  /** Version of the layout. */
  readonly version: 1;
  /** Name of the run: letters, digits, `-` and `_`, at most 64. */
  readonly run: string;
  /** The command line's name of a private method whose halves can run apart. */
  readonly method: string;
  /** Every option of the method. */
  readonly options: Readonly<Record<string, unknown>>;
  /**
   * Feature names, in order: every participant's data has exactly these. Default: those of the schema's columns, in its
   * order.
   */
  readonly features: readonly string[];
  /** What a participant does to its rows: scales each to unit l2 norm, or nothing (default). */
  readonly normalize: "rows" | "none";
  /** The labels, ascending, for the logistic and softmax losses (default: those of the schema's target); else null. */
  readonly classes: readonly Label[] | null;
  /**
   * The tasks in the order of the run, each with the only participant that may own it (null: anyone).
   * null (default): whoever registers, in the order of names.
   */
  readonly tasks: readonly PlannedTask[] | null;
  /** Fewest tasks to start with; default all of `tasks`, or 3, or as many as a trimmed mean or a median of means needs. */
  readonly minimumTasks: number;
  /**
   * Seconds to wait for registrations; then the run starts if `minimumTasks` are there. null
   * (default): until all of `tasks` are; without `tasks` until the curator says so.
   */
  readonly registration: number | null;
  /** Seconds a round stays open; default 60. It closes at once when everyone has uploaded. */
  readonly deadline: number;
  /**
   * Fraction of the tasks, in (0, 1], without whose answers a round does not close but pauses; default 1:
   * nobody is left out. Of all tasks, where a sample is drawn, too.
   */
  readonly quorum: number;
  /**
   * null (default): the curator sees every task's vector. Kind "relays": relays see and add up those of the participants they have,
   * {@link PlannedRelays}. Else it sees noisy sums only: kind "secure", of
   * participants named here, {@link PlannedAggregation}; kind "two-aggregators", of vectors of proven norm, over the
   * curator and a helper, {@link PlannedAggregators}.
   */
  readonly aggregation: PlannedAggregation | PlannedAggregators | PlannedRelays | null;
  /** Places for owners who come after the start; absent (default): nobody joins a run that has begun. */
  readonly latecomers?: Latecomers;
  /**
   * What is publicly known of the columns (ranges, levels, units, labels), by which every participant reads its rows; absent
   * (default): each reads its own as it likes.
   */
  readonly schema?: PlannedSchema;
}

/** A schema in the one form that a plan keeps; it is a schema file's content. */
export type PlannedSchema = DataSchema & FileFormat;

/**
 * Places of tasks that may join a run that has begun. What is public of the tasks counts every place from the start, taken or
 * not, so that neither noise nor delta changes when an owner comes: until then its place is that of a task that is absent.
 */
export interface Latecomers {
  /** How many tasks may come late. */
  readonly tasks: number;
  /** Most rows of each; every place counts as one of so many. */
  readonly rows: number;
}

/** A task that may take part. */
export interface PlannedTask {
  /** Name of the task. */
  readonly name: string;
  /** The only participant that may own it; null: anyone may. */
  readonly participant: string | null;
}

/** What has to be given; the rest has defaults, the method "auto", as in a fit. Without a schema `features` must be given, too. */
export type PlanInput = Partial<
  Omit<Plan, "format" | "version" | "aggregation" | "latecomers" | "schema">
> &
  Pick<Plan, "run"> & {
    /** Places for owners who come after the start; null (default): none. */
    readonly latecomers?: Latecomers | null;
    /** How sums come about where the curator is not to see every task's vector, which null (default) lets it. */
    readonly aggregation?: AggregationInput | AggregatorsInput | PlannedRelays | null;
    /** As `parseSchema` or a schema file has it; nothing in it may be marked `"declared": false`. */
    readonly schema?: DataSchema | null;
  };
