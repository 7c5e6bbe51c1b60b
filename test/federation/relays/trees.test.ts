/**
 * Trees of relays, machine by machine: what is opened is the sum of the integers of those whom the curator names, each once, whatever tree
 * is drawn, and whoever drops out, dies, starts anew or lies at whatever level of it.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Gathering, requestIn } from "../../../src/federation/relays/gathering.js";
import {
  relayGroups,
  relayProblems,
  type RelayGroup,
} from "../../../src/federation/relays/plan/groups.js";
import {
  partialMessage,
  parsePartial,
  type GatherRequest,
} from "../../../src/federation/relays/relay-messages.js";
import {
  RelayedInputs,
  type RelayedEffect,
} from "../../../src/federation/relays/relayed-inputs.js";
import { RelayTree } from "../../../src/federation/relays/relay-tree.js";
import type { Source } from "../../../src/federation/relays/sources.js";
import { message } from "../../../src/federation/secure-aggregation/attempt/messages.js";
import {
  residueBytes,
  residues,
} from "../../../src/federation/secure-aggregation/integers/residues.js";
import { uint32 } from "../../../src/federation/secure-aggregation/keys/session.js";
import { thorough, thoroughTest } from "../../thorough.js";
import { randomValues, settingOf } from "../secure-aggregation/harness.js";
import { attempt, ENTRIES, plainOf, type Case, type Manner, type RelayManner } from "./attempt.js";

const N = 7;
const RELAYS = 5;
const RUNS = thorough ? 20 : 5;
const LONG = 600_000;

/** Of relay r one of a greater number, or the curator: no circles. */
const trees = fc.tuple(
  ...Array.from({ length: RELAYS }, (_, r) => fc.integer({ min: r + 1, max: RELAYS + 1 })),
);

const casesOf = (manners: readonly Manner[], relays: readonly RelayManner[], loss: number) =>
  fc.record({
    relay: fc.array(fc.integer({ min: 0, max: RELAYS }), { minLength: N, maxLength: N }),
    above: trees,
    manners: fc.array(fc.constantFrom(...manners), { minLength: N, maxLength: N }),
    relays: fc.array(fc.constantFrom(...relays), { minLength: RELAYS, maxLength: RELAYS }),
    order: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    loss: fc.constant(loss),
  });

/** Runs drawn cases; what is opened holds whatever is drawn, and `more` with it. */
function holds(
  cases: fc.Arbitrary<Case>,
  seed: number,
  more: (one: Case, outcome: ReturnType<typeof attempt>) => void,
) {
  let opened = 0;
  fc.assert(
    fc.property(cases, (one) => {
      const outcome = attempt(one);
      const { sum, included, openings } = outcome;
      expect(openings).toBeLessThanOrEqual(1);
      if (!sum) return;
      opened++;
      expect([...sum]).toEqual(plainOf(outcome));
      expect(new Set(included).size).toBe(included.length);
      one.manners.forEach((manner, i) => {
        if (manner === "gone") expect(included).not.toContain(i);
      });
      more(one, outcome);
    }),
    { numRuns: RUNS, seed },
  );
  expect(opened).toBeGreaterThan(RUNS / 4);
}

describe("an attempt over a tree of relays", () => {
  test(
    "with everyone there: the flat sum, one sum of each relay at the top, no deadline",
    () => {
      holds(casesOf(["honest", "twice"], ["honest"], 0), 3, (_one, outcome) => {
        expect(outcome.included).toHaveLength(N);
        expect(outcome).toMatchObject({ without: [], deadlines: 0 });
      });
      const manners = Array.from({ length: N }, (): Manner => "honest");
      // Two relays of two and one of three, the first two beneath a third; a chain of one.
      const above = [3, 3, undefined, 4, undefined];
      const outcome = attempt({
        relay: [0, 0, 1, 1, 2, 2, 4],
        above,
        manners,
        relays: [],
        order: 9,
      });
      expect(outcome).toMatchObject({ partials: 2, without: [], deadlines: 0 });
      expect([...outcome.sum!]).toEqual(plainOf(outcome));
    },
    LONG,
  );

  test(
    "relays that are dead or killed at any level: everyone who sent an input is in the sum",
    () => {
      const manners: Manner[] = ["honest", "honest", "honest", "gone", "twice", "straight"];
      const relays: RelayManner[] = ["honest", "honest", "dead", "killed"];
      holds(casesOf(manners, relays, 0), 5, (one, { included, without }) => {
        one.manners.forEach((manner, i) => {
          if (manner === "honest" || manner === "twice") expect(included).toContain(i);
        });
        // Nobody is blamed but who was not there.
        for (const name of without) expect(one.relays[Number(name.slice(1))]).not.toBe("honest");
      });
    },
    LONG,
  );

  const SAFE = () => undefined;

  thoroughTest(
    "messages that are lost on the way of inputs: the sum of those who are named",
    () => {
      const manners: Manner[] = ["honest", "honest", "twice", "gone"];
      holds(casesOf(manners, ["honest", "killed"], 15), 7, SAFE);
    },
    LONG,
  );

  thoroughTest(
    "participants and relays that lie, at any level: no sum counts anybody twice",
    () => {
      const manners: Manner[] = ["honest", "honest", "honest", "both ways", "complains", "straight"]; // prettier-ignore
      const relays: RelayManner[] = ["honest", "honest", "mute", "nobody", "short", "both ways"];
      holds(casesOf(manners, relays, 0), 11, SAFE);
      holds(casesOf(manners, relays, 10), 13, SAFE);
    },
    LONG,
  );

  test("a relay of relays that is dead: those beneath it give their sums to the curator, and nobody sends straight", () => {
    const manners = Array.from({ length: 6 }, (): Manner => "honest");
    const outcome = attempt({
      relay: [0, 0, 0, 1, 1, 1],
      above: [2, 2, undefined],
      manners,
      order: 4,
      relays: ["honest", "honest", "dead"],
    });
    expect(outcome).toMatchObject({ without: ["r2"], partials: 2, deadlines: 2 });
    expect([...outcome.sum!]).toEqual(plainOf(outcome));
    expect(outcome.included).toHaveLength(6);
  });

  test("a relay of relays that leaves all out: those beneath it are asked at once, and nobody is lost or blamed", () => {
    const manners = Array.from({ length: 6 }, (): Manner => "honest");
    const outcome = attempt({
      relay: [0, 0, 0, 1, 1, 1],
      above: [2, 2, undefined],
      manners,
      order: 4,
      relays: ["honest", "honest", "nobody"],
    });
    expect(outcome).toMatchObject({ without: [], partials: 3, idle: 0 });
    expect(outcome.included).toHaveLength(6);
  });

  test("a relay beneath another that is dead, and one that is mute: their participants send straight", () => {
    const manners = Array.from({ length: 6 }, (): Manner => "honest");
    const base = { relay: [0, 0, 0, 1, 1, 1], above: [2, 2, undefined], manners, order: 4 };
    const dead = attempt({ ...base, relays: ["dead"] });
    expect(dead).toMatchObject({ without: ["r0"], partials: 1, deadlines: 2 });
    const mute = attempt({ ...base, relays: ["mute"] });
    expect(mute).toMatchObject({ without: ["r0"], deadlines: 3 });
    for (const { included } of [dead, mute]) expect(included).toHaveLength(6);
  });
});

describe("the curator's side of a tree", () => {
  const setting = settingOf({ n: N, threshold: 5, values: randomValues(N, ENTRIES, 7) });
  /** Participants 0 to 3 beneath two relays beneath a third; 4 beneath this one itself. */
  const groups: RelayGroup[] = [
    { name: "a", members: [0, 1], relay: 2 },
    { name: "b", members: [2, 3], relay: 2 },
    { name: "top", members: [0, 1, 2, 3, 4] },
  ];
  const sumOf = (relay: number, ...members: number[]) => {
    const own = groups[relay]!.members;
    const held = new Set(members.map((one) => own.indexOf(one)));
    return partialMessage(setting.session, { held, sum: residues(ENTRIES, 64).fill(5) }, own.length); // prettier-ignore
  };
  const word = (relay: number, ...members: number[]) => {
    const own = groups[relay]!.members;
    const bits = members.reduce((sum, one) => sum | (1 << own.indexOf(one)), 0);
    return message("held", setting.session, Uint8Array.of(bits));
  };
  const inputs = ({
    counted = [],
    straight = [],
  }: { counted?: number[]; straight?: number[] } = {}) =>
    new RelayedInputs({
      setting,
      groups,
      straight: new Set(straight),
      isAwaited: (index) => index < 5 && !counted.includes(index),
      inbox: (to) => ({ kind: "send", to, message: new Uint8Array(1) }),
    });
  /** What is done, in words. */
  const words = (effects: unknown) =>
    (effects as RelayedEffect[]).map((effect) => {
      if (effect.kind === "send") return `ask ${effect.to}${effect.straight ? " straight" : ""}`;
      const { name, members } = groups[effect.relay]!;
      if (effect.kind !== "gather") return `${effect.kind} ${name}`;
      const request = requestIn(effect.message, setting.session, members.length) as GatherRequest;
      const awaited = [...request.awaited].map((place) => members[place]);
      return `${request.urgency} ${name} ${awaited.join()}${effect.straight ? " straight" : ""}`;
    });

  test("every relay is asked, whose sums are for whom; a sum counts for all beneath", () => {
    const relayed = inputs();
    expect(words(relayed.begin())).toEqual(["whole a 0,1", "whole b 2,3", "whole top 0,1,2,3,4"]);
    expect(words(relayed.receive(0, sumOf(0, 0, 1)))).toEqual(["relay-refused a"]);
    const taken = relayed.receive(2, sumOf(2, 0, 1, 2, 4));
    expect(taken).toMatchObject({ members: [0, 1, 2, 4], gone: [3], asked: [] });
    expect([...relayed.short].sort()).toEqual([1, 2]);
    expect(relayed.receive(0, sumOf(0, 0, 1))).toEqual([]);
    expect(relayed.hurry()).toEqual([]);
  });

  test("of a relay that nothing is in the sum of, the curator asks itself, and counts what it gives", () => {
    const relayed = inputs();
    const taken = relayed.receive(2, sumOf(2, 0, 1, 4));
    expect(taken).toMatchObject({ members: [0, 1, 4], gone: [] });
    expect(words((taken as { asked: unknown }).asked)).toEqual(["whole b 2,3 straight"]);
    expect([1, 2, 4].map((one) => relayed.isRelayed(one))).toEqual([false, true, false]);
    expect(relayed.receive(2, sumOf(2, 0, 1, 2, 3, 4))).toEqual([]);
    expect(relayed.receive(1, sumOf(1, 2))).toMatchObject({ members: [2], gone: [3] });
  });

  test("deadlines go up the tree; a relay without a word is done without, and relays beneath it give theirs straight", () => {
    const relayed = inputs();
    expect(words(relayed.hurry())).toEqual(["now a 0,1", "now b 2,3", "tell top 0,1,2,3,4"]);
    expect(words(relayed.receive(0, word(0, 0)))).toEqual(["ask 1"]);
    expect(words(relayed.receive(1, word(1, 2, 3)))).toEqual([]);
    expect(words(relayed.hurry())).toEqual([
      "without-relay top",
      "ask 4 straight",
      "now a 0,1 straight",
      "now b 2,3 straight",
    ]);
    expect(relayed.receive(2, sumOf(2, 0, 1, 2, 3, 4))).toEqual([]);
    expect(relayed.receive(0, sumOf(0, 0))).toMatchObject({ members: [0], gone: [1] });
    expect(words(relayed.hurry())).toEqual(["without-relay b", "ask 2 straight", "ask 3 straight"]);
    expect(relayed.hurry()).toEqual([]);
  });

  test("a word of the relay above says of those beneath, too, that they are there", () => {
    const relayed = inputs();
    relayed.hurry();
    expect(words(relayed.receive(2, word(2, 0, 1)))).toEqual(["ask 4", "now b 2,3"]);
    expect(words(relayed.hurry())).toEqual([
      "without-relay b",
      "ask 2 straight",
      "ask 3 straight",
      "now a 0,1",
      "now top 0,1,4",
    ]);
    // It is late, not gone: whom the sum holds that is counted nowhere else counts.
    expect(relayed.receive(2, sumOf(2, 0, 1, 2, 3, 4))).toMatchObject({
      members: [0, 1, 2, 3, 4],
      gone: [],
      asked: [],
    });
  });

  test("a sum that holds an input which is counted already is refused whole, and those beneath are asked straight", () => {
    const relayed = inputs({ counted: [0] });
    expect(words(relayed.receive(2, sumOf(2, 0, 1, 2, 3, 4)))).toEqual([
      "without-relay top",
      "ask 4 straight",
      "whole a 1 straight",
      "whole b 2,3 straight",
    ]);
    expect(words(relayed.receive(0, sumOf(0, 0, 1)))).toEqual([
      "without-relay a",
      "ask 1 straight",
    ]);
    expect(relayed.receive(1, sumOf(1, 2, 3))).toMatchObject({ members: [2, 3], gone: [] });
  });

  test("what a relay beneath another says wrongly is not waited for above, either", () => {
    const relayed = inputs();
    expect(words(relayed.receive(0, message("input", setting.session)))).toEqual([
      "without-relay a",
      "ask 0 straight",
      "ask 1 straight",
      "whole top 2,3,4",
    ]);
    expect(words(relayed.remind([0, 1, 2, 3, 4]))).toEqual([
      "ask 0 straight",
      "ask 1 straight",
      "tell top 2,3,4",
    ]);
  });

  test("a relay that was done without before is not asked; an input with complaints is awaited nowhere", () => {
    expect(words(inputs({ straight: [2] }).begin())).toEqual([
      "whole a 0,1 straight",
      "whole b 2,3 straight",
    ]);
    const counted: number[] = [];
    const relayed = inputs({ counted, straight: [1] });
    expect(words(relayed.begin())).toEqual(["whole a 0,1", "whole top 0,1,4"]);
    counted.push(1);
    expect(words(relayed.counted(1))).toEqual(["whole a 0", "whole top 0,4"]);
    expect(words(relayed.counted(2))).toEqual([]);
  });
});

describe("a relay of relays", () => {
  const session = new Uint8Array(32).fill(9);
  /** A participant, and a relay of two beneath this one. */
  const sources: Source[] = [
    { name: "p", isRelay: false, places: [1] },
    { name: "r", isRelay: true, places: [0, 2] },
  ];
  const request = (awaited: number[], urgency: GatherRequest["urgency"] = "whole") =>
    ({ urgency, bits: 32, entries: 2, awaited: new Set(awaited) }) as const;
  const input = (...numbers: number[]) =>
    message("input", session, uint32(0), residueBytes(Uint32Array.from(numbers)));
  const sumOf = (held: number[], ...numbers: number[]) =>
    partialMessage(session, { held: new Set(held), sum: Uint32Array.from(numbers) }, 2);
  const read = (sum: Uint8Array | undefined) =>
    parsePartial(sum!.subarray(34), 3, { entries: 2, bits: 32 });

  test("adds a sum once, joins its set with its own, and waits for nobody that the sum lacks", () => {
    const gathering = new Gathering(session, sources, request([0, 1, 2]));
    expect(gathering.take(1, sumOf([1], 5, 2 ** 32 - 1))).toEqual({});
    expect(gathering.take(1, sumOf([0, 1], 9, 9))).toEqual({});
    const { sum, inputs } = gathering.take(0, input(1, 3));
    expect(inputs).toBe(2);
    expect(read(sum)).toEqual({ held: new Set([1, 2]), sum: Uint32Array.of(6, 2) });
  });

  test("hears sums of relays, inputs of participants, and of those who are awaited alone; what is refused leaves no trace", () => {
    const gathering = new Gathering(session, sources, request([0, 1]));
    expect(gathering.take(1, input(5, 5)).why).toContain("not for a relay");
    expect(gathering.take(0, sumOf([0], 5, 5)).why).toContain("not for a relay");
    expect(gathering.take(1, sumOf([0, 1], 5, 5)).why).toContain("not awaited");
    expect(gathering.take(1, sumOf([0], 5, 5).subarray(1)).why).toBeDefined();
    expect(gathering.take(1, sumOf([0], 5, 5).subarray(0, -1)).why).toContain("malformed");
    gathering.take(0, input(1, 1));
    expect(read(gathering.take(1, sumOf([0], 2, 3)).sum)).toEqual({
      held: new Set([0, 1]),
      sum: Uint32Array.of(3, 4),
    });
  });

  test("gives the curator word where it does not see the sum, and both where it is asked for what is there", () => {
    const gathering = new Gathering(session, sources, request([0, 1, 2]));
    gathering.take(0, input(7, 8));
    const held = message("held", session, Uint8Array.of(0b010));
    expect(gathering.ask(request([0, 1, 2]), true)).toEqual({});
    expect(gathering.ask(request([0, 1, 2], "tell"), true)).toEqual({ word: held });
    const now = gathering.ask(request([0, 1, 2], "now"), true);
    expect(now).toMatchObject({ word: held, inputs: 1 });
    expect(read(now.sum)).toEqual({ held: new Set([1]), sum: Uint32Array.of(7, 8) });
    expect(gathering.ask(request([1], "tell"), true)).toMatchObject({ word: held, inputs: 1 });
    expect(gathering.ask(request([1], "tell"))).not.toHaveProperty("word");
  });
});

describe("the plan's relays", () => {
  const participants = ["a", "a", "b", undefined, "c"].map((relay, i) => ({
    name: `p${i}`,
    ...(relay === undefined ? {} : { relay }),
  }));

  test("form trees, of which everyone knows who is beneath whom", () => {
    const relays = [
      { name: "a", relay: "ab" },
      { name: "b", relay: "ab" },
      { name: "ab", relay: "c" },
    ];
    const groups = relayGroups({ participants, relays });
    expect(groups).toEqual([
      { name: "a", members: [0, 1], relay: 3 },
      { name: "b", members: [2], relay: 3 },
      { name: "c", members: [0, 1, 2, 4] },
      { name: "ab", members: [0, 1, 2], relay: 2 },
    ]);
    const tree = new RelayTree(groups);
    expect(groups.map((_, relay) => tree.height(relay))).toEqual([1, 1, 3, 2]);
    expect(groups.map((_, relay) => tree.own(relay))).toEqual([[0, 1], [2], [4], []]);
    expect(tree.children(3)).toEqual([0, 1]);
    expect(tree.pathOf(1)).toEqual([0, 3, 2]);
    expect(tree.pathOf(3)).toEqual([]);
    expect(relayProblems({ participants, relays })).toEqual([]);
  });

  test.each([
    [
      "is there twice",
      [
        { name: "a", relay: "b" },
        { name: "a", relay: "c" },
      ],
      "every name once",
    ],
    ["has nobody beneath it", [{ name: "d", relay: "a" }], "d adds up for nobody"],
    ["is its own", [{ name: "a", relay: "a" }], "the sums of a never come to the curator"],
    [
      "is beneath itself",
      [
        { name: "a", relay: "b" },
        { name: "b", relay: "a" },
      ],
      "the sums of b never come",
    ],
    ["is a participant", [{ name: "a", relay: "p0" }], "p0 is a participant and a relay"],
    ["has no name", [{ name: "a", relay: "x y" }], "a relay's name has 1 to 64"],
  ])("a relay that %s is refused by name", (_what, relays, problem) => {
    expect(relayProblems({ participants, relays }).join()).toContain(problem);
  });
});
