/**
 * Kinds of values that only a plan has.
 * @module
 */
import type { DataSchema } from "../../data/index.js";
import type { PlannedTask } from "../../federation/index.js";
import type { OptionKind } from "../../learning/options/kinds.js";

const isName = (name: unknown): name is string => typeof name === "string" && name !== "";

/** NAME or NAME=PARTICIPANT, separated by commas; or the plan's own array. */
export const plannedTasks: OptionKind<PlannedTask[] | null> = {
  expected: "task names, or NAME=PARTICIPANT, separated by commas",
  placeholder: "A,B=P",
  read: (written) => {
    const entries: unknown = typeof written === "string" ? written.split(",") : written;
    if (!Array.isArray(entries)) return entries;
    return entries.map((entry: unknown) => {
      if (typeof entry !== "string") return entry;
      const [name, participant = null, ...rest] = entry.trim().split("=");
      return rest.length > 0 ? undefined : { name, participant };
    });
  },
  accept: (value) => {
    if (value === null) return null;
    if (!Array.isArray(value) || value.length === 0) return undefined;
    const tasks = value.map((task: unknown) => {
      const { name, participant = null, ...stray } = (task ?? {}) as Partial<PlannedTask>;
      // Left out in silence, a misspelt participant would let anyone bring the task.
      const isWhole = Object.keys(stray).length === 0;
      const fits = isWhole && isName(name) && (participant === null || isName(participant));
      return fits ? { name, participant } : undefined;
    });
    return tasks.every((task) => task !== undefined) ? tasks : undefined;
  },
};

/** Labels of a classification: numbers stay numbers. */
export const labels: OptionKind<(string | number | boolean)[] | null> = {
  expected: "labels separated by commas",
  placeholder: "A,B",
  read: (written) =>
    typeof written === "string"
      ? written.split(",").map((label) => {
          const number = Number(label);
          return label.trim() === "" || Number.isNaN(number) ? label.trim() : number;
        })
      : written,
  accept: (value) => {
    const isLabel = (label: unknown) => ["string", "number", "boolean"].includes(typeof label);
    return value === null || (Array.isArray(value) && value.every(isLabel)) ? value : undefined;
  },
};

/** null in a plan's file is the default, as in the plan. */
export const orNothing = <T>(kind: OptionKind<T>): OptionKind<T | null> => ({
  ...kind,
  accept: (value) => (value === null ? null : kind.accept(value)),
});

/** JSON, or what a plan's file has there; the plan's own checks judge it. */
export const json: OptionKind<unknown> = {
  expected: "JSON",
  placeholder: "JSON",
  read: (written) => {
    if (typeof written !== "string") return written;
    try {
      return JSON.parse(written) as unknown;
    } catch {
      return undefined;
    }
  },
  accept: (value) => value,
};

/** A schema file; in a plan's file its content. The plan's own checks judge what is in it. */
export const schemaFile: OptionKind<DataSchema | null> = {
  expected: 'a schema, { "format": "mp-mtl-schema", ... }',
  expectedText: "a schema file (JSON), as inspect --out drafts it",
  placeholder: "FILE",
  fromFile: true,
  accept: (value) =>
    typeof value === "object" && !Array.isArray(value) ? (value as DataSchema) : undefined,
};
