/**
 * What comes of a missing first argument, or one of another type: an error of the library's that names it, never one that an
 * engine makes of a field that is not there.
 */
import { describe, expect, test } from "vitest";
import * as federation from "../../src/federation/index.js";
import * as nats from "../../src/federation/nats/index.js";
import * as verifiedSums from "../../src/federation/verified-sums/index.js";
import * as everything from "../../src/index.js";
import * as linalg from "../../src/linalg.js";
import * as node from "../../src/node/index.js";
import * as privacy from "../../src/privacy/index.js";
import * as tfjs from "../../src/tfjs/index.js";

/** Classes of methods, which take options. */
const METHOD_CLASSES = Object.entries(everything)
  .filter(([, value]) => typeof value === "function" && typeof value.prototype?.fit === "function")
  .map(([name]) => name);

const GIVEN = [undefined, {}, 3] as const;

/** What V8, Node's own functions and those of packages say of what they were not made for. */
const ENGINE =
  /Cannot (read|destructure|convert|set)|is not (a function|iterable|async iterable|a constructor|defined)|argument must be of type|[Aa]rgument to|cannot be converted|of length \d+, got|string expected|ERR_/;

/** An error begins with what it is about, an argument or a field of it. */
const NAMED = /^$|^[\w.,[\]' -]+: |^table has no columns/;

/** What comes of each of GIVEN, where it is not a TypeError of all three: the error's class, or "-" for a value. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  // Nothing is asked of the first argument, or only whether it is one of a few.
  "- - -": [
    "initialize",
    "kernelBuild",
    "isPrivateMethod",
    "Pipeline",
    "TableEncoding",
    "TaskMoments",
    "ConvergenceError",
    "DataError",
    "HostError",
    "MpMtlError",
    "OptionError",
    "BudgetExceededError",
    "RunOverError",
    "ConnectionError",
    "isParticipantName",
    "ManualClock",
    "MemoryStore",
    "MemoryArchive",
    // Called when there is something to do.
    "openWebFitPool",
    "openWebTaskWorkers",
    "openThreadPool",
    "serveTasks",
    "serveJobs",
  ],
  // Options that all have defaults.
  "- - TypeError": METHOD_CLASSES.filter(
    (name) => !["FixedRelationship", "MpFramework"].includes(name),
  ).concat("verifiedMechanisms"),
  "OptionError OptionError TypeError": ["FixedRelationship", "MpFramework"],
  "- TypeError -": ["openFitPool", "openTaskWorkers"],
  "TypeError TypeError -": ["lambdaGrid", "gaussianEpsilon"],
  "TypeError - TypeError": [
    "expectedShare",
    "errorOf",
    "whyNoUnseenTasks",
    "recommendedSchedule",
    // Without a promise nothing is protected; any object has a text, and is a header.
    "protectionTable",
    "canonicalPlan",
    "planHash",
    "encodeFrame",
    "MemoryNetwork",
  ],
  // Words, documents and options have errors of their own.
  "DataError DataError DataError": ["parseSchema", "leafTasks", "parseLeaf", "tableFrom"],
  "TypeError DataError TypeError": ["TaskModel"],
  "RangeError RangeError RangeError": [
    "noiseNormBound",
    "drawRepetitions",
    "meanRepetitions",
    "defaultMechanism",
  ],
  "TypeError TypeError RangeError": ["repetitionsOfMean"],
  "TypeError RangeError TypeError": [
    "simulate",
    "utilityBound",
    "parseEvent",
    "sameEvent",
    "trustWords",
    "liftBudget",
    "liftGuarantee",
    "attackerGain",
    "createMechanism",
    "sensitivity",
    "worstNeighbours",
  ],
  "OptionError OptionError OptionError": ["audit", "makeEstimator", "lambdaMax", "parsePlan"],
  "TypeError OptionError TypeError": [
    "runFitJob",
    "settleMethod",
    "makePlan",
    "joinRun",
    "runRelay",
    "runHelper",
    "ParticipantMachine",
    "RelayMachine",
    "HelperMachine",
    "randomBytesFrom",
  ],
  "OptionError - OptionError": ["expandGrid"],
};

const expectedOf = (name: string) =>
  Object.entries(OTHERS).find(([, names]) => names.includes(name))?.[0] ??
  "TypeError TypeError TypeError";

/** The error's class, or "-" for a value; what a generator or a promise ends with counts. */
async function outcome(value: Callable, given: unknown): Promise<{ is: string; says: string }> {
  try {
    const result: unknown = isClass(value) ? Reflect.construct(value, [given]) : value(given);
    const found = (await result) as Partial<Iterator<unknown> & { close(): void }> | undefined;
    if (typeof found?.next === "function") await found.next();
    found?.close?.();
    return { is: "-", says: "" };
  } catch (error) {
    const { constructor, message } = error as Error;
    return { is: constructor.name, says: message };
  }
}

type Callable = (given: unknown) => unknown;

const isClass = (value: Callable) => Function.prototype.toString.call(value).startsWith("class");

const callables = (module: object) =>
  Object.entries(module).filter(
    (entry): entry is [string, Callable] => typeof entry[1] === "function",
  );

describe.each([
  ["mp-mtl", everything],
  ["mp-mtl/node", node],
  ["mp-mtl/privacy", privacy],
  ["mp-mtl/linalg", linalg],
  ["mp-mtl/federation", federation],
  ["mp-mtl/federation/verified-sums", verifiedSums],
  ["mp-mtl/federation/nats", nats],
  ["mp-mtl/tfjs", tfjs],
])("%s", (_name, module) => {
  test.each(callables(module))("%s", async (name, value) => {
    const found = [];
    for (const given of GIVEN) found.push(await outcome(value, given));
    for (const { says } of found) {
      expect(says).not.toMatch(ENGINE);
      expect(says).toMatch(NAMED);
    }
    expect(found.map(({ is }) => is).join(" ")).toBe(expectedOf(name));
  });
});

const EVENT = privacy.gaussianEvent({ sigma: 1 });
const CLAIM = { epsilon: 1, delta: 1e-5 };
const BUDGET = { ...CLAIM, adjacency: "replace", repetitions: "all", relative: 1e-3 } as const;
const LEDGER = new privacy.Ledger({ ...CLAIM, adjacency: "replace" });
const PROMISE = { epsilon: 1, delta: 1e-5 };
const SIZES = { statistic: "vector", tasks: 3, dimension: 2, clip: 1 } as const;
const PINE = verifiedSums.federatedPine(4, 100n);
const CONNECTION = { publish: () => undefined, closed: () => Promise.resolve() };

/** A call of which something later is missing or wrong, and how the error that says so begins. */
const LATER: readonly [call: (unknown: never) => unknown, says: string][] = [
  [(none) => privacy.calibrateSelection(() => [[EVENT]], none), "budget: expected an object"],
  [(none) => privacy.calibrateSelection(() => [[EVENT]], { ...BUDGET, epsilon: none }), "epsilon: expected"], // prettier-ignore
  [(none) => privacy.calibrateSelection(() => [[EVENT]], { ...BUDGET, delta: none }), "delta: expected"], // prettier-ignore
  [(none) => privacy.calibrateSelection(() => [[EVENT]], { ...BUDGET, adjacency: none }), "adjacency: expected"], // prettier-ignore
  [(none) => privacy.calibrateSelection(() => [[EVENT]], { ...BUDGET, repetitions: none }), "repetitions.kind: expected"], // prettier-ignore
  [(none) => privacy.calibrateSelection(() => [[EVENT]], { ...BUDGET, relative: none }), "relative: expected"], // prettier-ignore
  [(none) => new privacy.DeltaPaysError(1e-5, none), "noiseless: expected"],
  [(none) => privacy.attackerGain({ epsilon: 1, delta: none }), "guarantee.epsilon, delta: expected"], // prettier-ignore
  [(none) => privacy.attackerGain(CLAIM, [none]), "event: expected"],
  [(none) => privacy.gaussianSummary([EVENT], none), "guarantee: expected an object"],
  [(none) => privacy.epsilonBounds([EVENT], none), "options: expected an object"],
  [(none) => privacy.epsilonBounds([EVENT], { delta: none }), "delta: expected"],
  [(none) => privacy.compositionBound(none, 0), "epsilons: expected an array"],
  [(none) => privacy.noiselessDelta([none]), "event: expected"],
  [(none) => privacy.toDpEvent([EVENT, none]), "event: expected"],
  [(none) => privacy.sameEvent(EVENT, none), "b: expected"],
  [(none) => privacy.parseEvents({ entries: [none] }), "events[0]: expected"],
  [(none) => privacy.selectionEvent({ repetitions: { kind: "poisson", mean: 2 }, plans: none }), "plans: expected an array"], // prettier-ignore
  [(none) => privacy.selectionEvent({ repetitions: { kind: "poisson", mean: 2 }, plans: [[{ event: none, count: 1 }]] }), "plans[0][0].event: expected"], // prettier-ignore
  [(none) => privacy.drawRepetitions({ kind: "poisson", mean: 2 }, none), "bits: expected a function"], // prettier-ignore
  [(none) => privacy.repetitionsOfMean(none, 2), "eta: expected a number"],
  [(none) => privacy.linearDiscriminant("score", [new Float64Array(1), new Float64Array(1)], none), "neighbour: expected an array"], // prettier-ignore
  [(none) => privacy.linearDiscriminant("score", [none, none], [none, none]), "present[0]: expected"], // prettier-ignore
  [() => privacy.linearDiscriminant("score", [new Float64Array(1)], []), "present: expected at least 2 trials, got 1"], // prettier-ignore
  [(none) => privacy.proveLoss([], none, 0.95), "claim: expected an object"],
  [(none) => privacy.proveLoss([{ name: "score", present: none, neighbour: none }], CLAIM, 0.95), "all[0].present: expected"], // prettier-ignore
  [(none) => privacy.worstNeighbours(SIZES, none), "adjacency: expected"],
  [(none) => privacy.sensitivity({ ...SIZES, adjacency: none, norm: "frobenius" }), "adjacency: expected"], // prettier-ignore
  [(none) => privacy.sensitivity({ ...SIZES, adjacency: "replace", norm: none }), "norm: expected"],
  [(none) => privacy.defaultMechanism("vector", none), "delta: expected"],
  [(none) => privacy.createMechanism({ ...SIZES, delta: 1e-5, statistic: none, name: "gaussian" }), "statistic: expected"], // prettier-ignore
  [(none) => privacy.describeGuarantee(LEDGER, none, "secure", []), "mechanism: expected an object"], // prettier-ignore
  [(none) => privacy.describeGuarantee(LEDGER, privacy.createMechanism({ ...SIZES, delta: 1e-5 }), "secure", none), "notCharged: expected an array"], // prettier-ignore
  [(none) => privacy.ownLedger(LEDGER, none), "promise: expected an object"],
  [(none) => privacy.ownLedger(LEDGER, { ...PROMISE, sensitivities: none }), "sensitivities: expected an array"], // prettier-ignore
  [(none) => privacy.ownGuarantee({} as never, LEDGER, none), "budget: expected an object"],
  [(none) => privacy.ownRecordGuarantee({} as never, LEDGER, none), "budget: expected an object"],
  [(none) => privacy.liftGuarantee({ ...CLAIM, spent: none } as never, 2), "guarantee.spent: expected an object"], // prettier-ignore
  [(none) => privacy.protectionOfOwners([{ task: "north", guarantee: none, recordGuarantee: null }]), "owners[0].guarantee: expected an object"], // prettier-ignore
  [(none) => linalg.sampleWishart({ mode: "secure" }, none), "options: expected an object"],
  [(none) => new federation.CuratorMachine({ plan: none, session: "" }), "plan: expected an object"], // prettier-ignore
  [(none) => new federation.CuratorMachine({ plan: { run: "trial", options: {}, features: none } as never, session: "" }), "plan.features: expected an array"], // prettier-ignore
  [(none) => new federation.ParticipantMachine({ participant: "north", run: none } as never), "run: expected a text"], // prettier-ignore
  [(none) => new federation.RelayMachine({ relay: "site", run: none }), "run: expected a text"],
  [(none) => federation.encodeMessage({} as never, none), "body: expected an object"],
  [() => federation.identityKey(new Uint8Array(31)), "secret: expected 32 bytes, got 31"],
  [(none) => new verifiedSums.HelperMachine({ run: "trial", helper: "helper", key: none, records: none }), "records: expected an array"], // prettier-ignore
  [(none) => new verifiedSums.Helper({ terms: { grid: { lattice: {} }, pine: PINE }, session: none } as never), "session: expected a Uint8Array"], // prettier-ignore
  [() => new verifiedSums.Leader({ terms: { grid: { lattice: {} }, pine: PINE }, session: new Uint8Array(32), verifyKey: new Uint8Array(1) } as never), "verifyKey: expected 16 bytes, got 1"], // prettier-ignore
  [(none) => verifiedSums.openSum({ grid: { lattice: {} }, pine: PINE } as never, none, none), "leader's share: expected a Uint8Array"], // prettier-ignore
  [(none) => verifiedSums.taskIntegers({ lattice: {} } as never, none), "vector: expected a Float64Array"], // prettier-ignore
  [(none) => verifiedSums.soundnessError(PINE, none), "evaluations: expected a number"],
  [(none) => verifiedSums.federatedPine(3, none), "radius: expected a bigint"],
  [(none) => verifiedSums.verifiedMechanism({ ...SIZES, delta: 1e-5 }, none ?? (3 as never)), "options: expected an object"], // prettier-ignore
  [(none) => nats.openNatsCurator(CONNECTION as never, none), "options: expected an object"],
  [(none) => nats.openNatsParticipant(CONNECTION as never, none), "options: expected an object"],
  [(none) => nats.openNatsRelay(CONNECTION as never, none), "options: expected an object"],
  [(none) => nats.openRunBucket(CONNECTION as never, none), "bucket: expected a text"],
  [(none) => tfjs.tfjsModel({ tidy: () => undefined } as never, none), "options: expected an object"], // prettier-ignore
  [(none) => tfjs.tfjsModel({ tidy: () => undefined } as never, { name: "line", features: 1, outputs: 1, forward: none, parameters: [] }), "forward: expected a function"], // prettier-ignore
  [(none) => tfjs.tfjsModel({ tidy: () => undefined } as never, { name: "line", features: 1, outputs: 1, forward: () => none, parameters: [none] }), "parameters[0]: expected an object"], // prettier-ignore
];

test.each(LATER.map(([call, says]) => [says, call] as const))("%s", async (says, call) => {
  const called = async () => await call(undefined as never);
  await expect(called()).rejects.toThrow(says);
});
