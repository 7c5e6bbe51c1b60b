/** A plan that lacks a field without a default is refused by that field's name, with what it is and what to put there. */
import { describe, expect, test } from "vitest";
import { OptionError } from "../../../../src/core/index.js";
import { parsePlan } from "../../../../src/federation/index.js";

const KEYS = ["a", "b", "c"].map((digit) => digit.repeat(64));
const participants = ["north", "south", "west"].map((name, at) => ({ name, identity: KEYS[at] }));
const PLAN = {
  run: "unit",
  method: "mp-low-rank",
  features: ["x", "y"],
  options: { epsilon: 1, delta: 1e-5 },
};
const KINDS = {
  secure: { ...PLAN, aggregation: { participants, colluding: 1 } },
  relays: { ...PLAN, aggregation: { kind: "relays", participants: [{ name: "north" }] } },
  "a tree of relays": {
    ...PLAN,
    aggregation: {
      kind: "relays",
      participants: [{ name: "north", relay: "hub" }],
      relays: [{ name: "hub", relay: "top" }],
    },
  },
  "two aggregators": {
    ...PLAN,
    aggregation: {
      kind: "two-aggregators",
      leader: KEYS[0],
      helper: { name: "helper", key: KEYS[1] },
    },
  },
  "secure sums by a tree of relays": {
    ...PLAN,
    aggregation: {
      participants: participants.map((one) => ({ ...one, relay: "hub" })),
      colluding: 0,
      relays: [{ name: "hub", relay: "top" }],
    },
  },
  latecomers: { ...PLAN, latecomers: { tasks: 2, rows: 10 } },
};

/** The plan with something else in one place, nothing by default. */
function changed(plan: object, path: string, to?: unknown): string {
  const copy = structuredClone(plan) as Record<string, unknown>;
  const names = path.split(/[.[\]]+/).filter((name) => name !== "");
  const last = names.pop()!;
  const holder = names.reduce((at, name) => at[name] as Record<string, unknown>, copy);
  if (to === undefined) Reflect.deleteProperty(holder, last);
  else holder[last] = to;
  return JSON.stringify(copy);
}

test("the plans that the fields are taken from are plans", () => {
  for (const plan of Object.values(KINDS)) expect(parsePlan(JSON.stringify(plan)).run).toBe("unit");
});

/** The kind of a plan, a field of it, and what its refusal tells. */
const FIELDS: readonly [keyof typeof KINDS, string, RegExp][] = [
  ["relays", "run", /1 to 64 letters, digits, - or _/],
  ["relays", "features", /names of the columns .* in order, or a schema/],
  ["secure", "aggregation.participants", /everyone .*\[\{ name, identity \}\].*join --identity/],
  ["secure", "aggregation.participants[1].name", /1 to 64 letters, digits, - or _/],
  ["secure", "aggregation.participants[2].identity", /64 hexadecimal digits, as join --identity/],
  [
    "secure",
    "aggregation.colluding",
    /an integer from 0 to 2 here: .* collude with the curator .* noise/,
  ],
  ["relays", "aggregation.participants", /everyone .*\[\{ name, relay\? \}\]/],
  ["two aggregators", "aggregation.leader", /64 hexadecimal digits, as curator --key FILE/],
  ["two aggregators", "aggregation.helper", /the other aggregator, \{ name, key \}/],
  ["two aggregators", "aggregation.helper.name", /1 to 64 letters, digits, - or _/],
  ["two aggregators", "aggregation.helper.key", /64 hexadecimal digits, as helper --key FILE/],
  ["latecomers", "latecomers.tasks", /an integer from 1 on; leave latecomers out/],
  ["latecomers", "latecomers.rows", /an integer from 1 to 536870912/],
];

describe.each(FIELDS)("of a plan (%s)", (kind, path, told) => {
  test.each([
    ["missing", undefined],
    ["null", null],
  ])(`${path} is %s`, (_, value) => {
    const parse = () => parsePlan(changed(KINDS[kind], path, value));
    expect(parse).toThrow(`plan: ${path} is missing: `);
    expect(parse).toThrow(told);
    expect(parse).not.toThrow(/undefined|null/);
  });
});

test("a range that a plan's own numbers give is told for these", () => {
  const plan = changed(KINDS.secure, "aggregation.colluding");
  expect(() => parsePlan(changed(JSON.parse(plan) as object, "aggregation.threshold", 2))).toThrow("from 0 to 0 here"); // prettier-ignore
});

test("what is there and wrong is told by the same names", () => {
  const refused = (kind: keyof typeof KINDS, path: string, to: unknown) =>
    expect(() => parsePlan(changed(KINDS[kind], path, to)));
  refused("secure", "aggregation.participants[2].identity", "abc").toThrow("participants[2].identity: of west: expected 64 hexadecimal digits, as join --identity FILE prints them"); // prettier-ignore
  refused("secure", "aggregation.threshold", 2).toThrow("Give 3 or more, or fewer colluding");
  refused("secure", "aggregation.precision", "fine").toThrow("aggregation.precision: expected an integer from 4 to 24, or null"); // prettier-ignore
  refused("secure", "aggregation.kind", "safe").toThrow('of kind "secure" (or without it), "relays" or "two-aggregators"'); // prettier-ignore
  refused("secure", "aggregation", "secure").toThrow("aggregation: expected null, or { kind, ... }"); // prettier-ignore
  refused("two aggregators", "aggregation.leader", "abc").toThrow("aggregation.leader: expected a public key, 64"); // prettier-ignore
  refused("two aggregators", "aggregation.helper.key", "abc").toThrow("aggregation.helper.key: expected a public key, 64"); // prettier-ignore
});

/** Paths of all fields, those of fields in them included. */
function pathsOf(value: unknown, at = ""): string[] {
  if (typeof value !== "object" || value === null) return [at];
  const below = Object.entries(value).flatMap(([name, one]) => pathsOf(one, at === "" ? name : `${at}.${name}`)); // prettier-ignore
  return at === "" ? below : [at, ...below];
}

test("an object that has no text, in the place of any field, is refused like anything else that is wrong", () => {
  for (const plan of Object.values(KINDS)) {
    const more = ["aggregation.threshold", "aggregation.precision", "aggregation.dropOuts"];
    for (const path of [...pathsOf(plan), ...("aggregation" in plan ? more : [])]) {
      expect(() => parsePlan(changed(plan, path, { toString: 1 })), path).toThrow(OptionError);
    }
  }
});

/** Where an object stands in a plan, itself included, as the path of a field `stray` of it. */
function strays(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = Array.isArray(value) ? [] : [path === "" ? "stray" : `${path}.stray`];
  const within = (name: string) =>
    Array.isArray(value) ? `${path}[${name}]` : path === "" ? name : `${path}.${name}`;
  return [...own, ...Object.entries(value).flatMap(([name, one]) => strays(one, within(name)))];
}

test("a field that no plan has, in any place, is refused by its name, or by what is expected there: misspelt, one that counts would be lost", () => {
  const tasks = ["a", "b", "c"].map((name) => ({ name, participant: null }));
  const method = "pmtl";
  const options = { ...PLAN.options, random: { mode: "secure" }, sampling: { kind: "all" } };
  for (const plan of [...Object.values(KINDS), { ...PLAN, method, tasks, options }]) {
    parsePlan(JSON.stringify(plan));
    for (const path of strays(plan)) {
      expect(() => parsePlan(changed(plan, path, 1)), path).toThrow(OptionError);
      expect(() => parsePlan(changed(plan, path, 1)), path).toThrow(
        /stray|expected \{ (kind|mode): "/,
      );
    }
  }
});
