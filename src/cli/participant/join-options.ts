/**
 * What `join` is told.
 * @module
 */
import type { Values } from "../options/command.js";
import { dataOptions, personOption, tableFormatOptions } from "../tables/data-options.js";
import { partyOptions } from "../federated/nats-options.js";
import { number, text, yesNo } from "../options/values.js";

const { data, hexPixels, ranges, sparse } = dataOptions;
/** The plan's features are agreed on: nothing is filled in that would add to them unasked. */
const missing = { ...dataOptions.missing, default: "refuse" } as const;

export const joinOptions = {
  ...partyOptions,
  name: {
    value: "NAME",
    help: "Your name in the run; default: the name of the credentials' or else the data's file.",
    schema: text("a name"),
  },
  data: { ...data, required: false },
  ...tableFormatOptions,
  task: {
    value: "COL",
    help: "Column with the name of each row's task; default: what the plan's schema or --ranges says, else all rows are one task, with your name.",
    schema: text("a column name"),
  },
  target: {
    ...dataOptions.target,
    help: "Column with the target; default: what the plan's schema or --ranges says, else target.",
  },
  ranges: {
    ...ranges,
    help:
      "Schema file (JSON; inspect --out drafts one) with what is publicly known of the columns: ranges, units, levels. Not needed " +
      "where the plan has a schema, and refused if it says something else. Else it must be the same for all participants, who agree " +
      "on it beside the plan; its SHA-256 is printed. Numbers are scaled by their ranges.",
  },
  categorical: {
    ...dataOptions.categorical,
    help: "Feature columns that are categories, where the plan's features do not say so (ward=med).",
  },
  sparse,
  hexPixels,
  missing,
  missingCodes: dataOptions.missingCodes,
  stream: {
    value: "yes|no",
    help:
      "Read the rows once the plan is known, in pieces, and keep of each task their number, mean and scatter: for files larger than " +
      "memory (.csv, .tsv, .parquet), and plans of mp-mixed with the squared loss that hide tasks and leave no column undeclared.",
    schema: yesNo(),
    default: false,
    group: "data",
  },
  person: personOption,
  epsilon: {
    value: "X",
    help:
      "The eps that you consent to for your tasks, where that is less than the plan's: your rows weigh less, and your guarantee says " +
      "it. A plan whose method has one budget for all is then refused. Default: the plan's.",
    schema: number({ above: 0 }),
  },
  state: {
    value: "DIR",
    help:
      "Where to keep what was agreed to, what was received and what must not be drawn twice. The same command goes on where " +
      "it stopped. Default: join/RUN/NAME in the folder for states, $XDG_STATE_HOME/mp-mtl.",
    schema: text("a folder"),
  },
  identity: {
    value: "FILE",
    help:
      "Your secret key for runs on secure sums, made if the file does not exist. When it is made, or without --data, its public " +
      "key for the plan is printed, and nothing else is done.",
    schema: text("a file name"),
  },
  out: {
    value: "DIR",
    help: "Where to write your own tasks' models and their card.",
    schema: text("a directory name"),
  },
} as const;

/** What was asked of `join`. */
export type JoinValues = Values<typeof joinOptions>;
