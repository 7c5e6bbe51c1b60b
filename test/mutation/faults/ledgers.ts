/**
 * Events, budgets, ledgers, and what a guarantee says of them.
 * @module
 */
import { faultsIn } from "./fault.js";

export const FAULTS = faultsIn("src/privacy", {
  "guarantee/check-statement.ts": [
    {
      from: "if (!recordOf || recordOf.sensitivities) return statement;",
      to: "return statement;",
      breaks: "What a record has is not believed where nothing bears it out.",
    },
    {
      from: 'ledger.noiseSource === "seeded" && noiseSource !== "seeded"',
      to: "false",
      breaks: "Seeded noise is not called secure.",
    },
    {
      from: "size === undefined ? ledger : liftBudget(ledger, size)",
      to: "ledger",
      breaks: "A promise that was lifted to a task is held to the lift.",
    },
    {
      from: "if (!isSpent(statement.spent, lifted))",
      to: "if (false as boolean)",
      breaks: "No less is said to have been spent than was charged.",
    },
    {
      from: "if (spent.rounds === 0 && claims(statement))",
      to: "if (false)",
      breaks: "Charges that were left out bear nothing out.",
    },
    {
      from: '?.kind === "record"',
      to: '?.kind === "galaxy"',
      breaks: "What a run promises to tasks is not called a promise against the curator.",
    },
    {
      from: "ledger.nominal && !atLeast(delta, nominalDelta(truth, ledger))",
      to: "ledger.nominal && !atLeast(delta, ledger.delta)",
      breaks: "Of nominal noise no less is stated than holds in truth.",
    },
    {
      from: "falsePositiveRate >= 0 &&",
      to: "falsePositiveRate > -1 &&",
      breaks: "An attacker's gain is one at a rate of false alarms.",
    },
  ],
  "check-colluders.ts": [
    {
      from: "Math.max(1, all - colluding)",
      to: "all",
      breaks: "Colluders' shares of noise do not count in a file's table either.",
    },
    {
      from: 'kind === "joint" && counts.some(',
      to: 'kind === "none" && counts.some(',
      breaks: "A promise of several shares is not one against all others.",
    },
  ],
  "check-parties.ts": [
    {
      from: "events.every((event) => sharesOf(event) === 1)",
      to: "events.length > 0",
      breaks: "A curator that sees uploads is none of two aggregators.",
    },
    {
      from: '(against === "own model") === (unit !== "task")',
      to: "against !== undefined",
      breaks: "Noise that hides records from the curator hides none from holders of models.",
    },
  ],
  "noise-shares.ts": [
    {
      from: "Math.sqrt(honest / event.shares)",
      to: "Math.sqrt(event.shares / honest)",
      breaks: "Fewer honest shares are less noise.",
    },
  ],
  "delta.ts": [
    {
      from: "const n = Math.floor(1 / delta);",
      to: "const n = Math.ceil(1 / delta);",
      breaks: "What a large delta permits is not understated.",
    },
  ],
  "own-budget.ts": [
    {
      from: "return { ...event, sensitivity: sensitivities[k]! };",
      to: "return event;",
      breaks: "An owner is charged for what its own units move.",
    },
  ],
  "events/dp-event.ts": [
    {
      from: "2 / (1 + math.exp(event.epsilon))",
      to: "2 / (2 + math.exp(event.epsilon))",
      breaks: "A pure release is written as the randomized response of its epsilon.",
    },
  ],
  "events/parse-dp-event.ts": [
    {
      from: "if (own !== undefined && own !== adjacency) {",
      to: 'if (own !== undefined && own !== adjacency && name === "") {',
      breaks: "Events of another neighbouring relation are refused.",
    },
  ],
  "ledger/durable-ledger.ts": [
    {
      from: "if (number !== i + 1) {",
      to: "if (number === undefined) {",
      breaks: "A log that lacks a charge is refused.",
    },
  ],
  "events/events.ts": [
    {
      from: 'if (options.adjacency !== undefined && options.adjacency !== "zero-out") {',
      to: "if (options.adjacency === undefined) {",
      breaks: "No amplification is claimed under replace.",
    },
  ],
  "guarantee/gaussian-summary.ts": [
    {
      from: "const except = FAILURES * delta;",
      to: "const except = delta;",
      breaks: "The odds hold but with ten deltas' probability.",
    },
    {
      from: "quotient(math.exp(epsilon), delta > 0 ? 1 - 1 / FAILURES : 1)",
      to: "math.exp(epsilon)",
      breaks: "The odds are not understated where delta is positive.",
    },
  ],
  "group.ts": [
    {
      from: "{ attacker: attackerGain(whole) }",
      to: "{ attacker }",
      breaks: "What an attacker gains is that of the lifted promise.",
    },
  ],
  "guarantee/guarantee-words.ts": [
    {
      from: 'notCovered.filter((line) => !line.includes("whoever holds its own model"))',
      to: 'notCovered.filter((line) => line.includes("whoever holds its own model"))',
      breaks: "The words name what is not covered.",
    },
  ],
  "guarantee/describe-guarantee.ts": [
    {
      from: "truth.delta + (1 - truth.delta) * delta",
      to: "truth.delta",
      breaks: "The true delta of nominal rounds includes that of their bound.",
    },
    {
      from: "losses.every(({ own, claimed = own }) => own <= claimed)",
      to: "losses.some(({ own, claimed = own }) => own <= claimed)",
      breaks: "A nominal epsilon below what is lost is not printed.",
    },
  ],
  "ledger/ledger-json.ts": [
    {
      from: 'nominal: stored["nominal"],',
      to: "nominal: true,",
      breaks: "A stored ledger remembers what it charges.",
    },
  ],
  "ledger/ledger.ts": [
    {
      from: "if (!sameEvent(event, next)) {",
      to: "if (event.kind !== next.kind) {",
      breaks: "Only the planned release is charged.",
    },
    {
      from: "const charged = this.nominal ? nominalEvent(event) : event;",
      to: "const charged = nominalEvent(event);",
      breaks: "Nominal charges are made only where they were asked for.",
    },
    {
      from: "this.record(entry);\n      this.#filter.spend(charged);\n    } else",
      to: "this.#filter.spend(charged);\n    } else",
      breaks: "A charge is written down before it counts.",
    },
  ],
  "ledger/require-same-ledger.ts": [
    {
      from: "requireNoiseSource(place, ledger, options.noiseSource);",
      to: "",
      breaks: "A seeded ledger is not gone on with secure noise.",
    },
  ],
  "ledger/ledger-terms.ts": [
    {
      from: "if (differs === undefined) return undefined;",
      to: "if (differs === undefined || kept[differs] === undefined) return undefined;",
      breaks:
        "A ledger that does not say how releases were made is not gone on with under terms of now.",
    },
  ],
  "noise-source.ts": [
    {
      from: "if (begun === source) return;",
      to: "if (begun === undefined || begun === source) return;",
      breaks: "A ledger that does not say where its noise came from is not gone on with.",
    },
  ],
  "noiseless.ts": [
    {
      from: "groups[i]!.count * math.log1p(",
      to: "math.log1p(",
      breaks: "A task may take part in any of the rounds.",
    },
    {
      from: "groups.filter(({ event }) => exposure(event) < 1)",
      to: "groups",
      breaks: "Delta does not pay for samples beside other releases.",
    },
    {
      from: 'event.repetitions.kind === "poisson" ?',
      to: "event.plans.length === 0 ?",
      breaks: "Delta does not pay for a selection that mostly runs nothing.",
    },
  ],
  "events/checked-event.ts": [
    {
      from: "parseEvent(event);",
      to: "{ ...event };",
      breaks: "Events that a program wrote itself are checked as those of files are.",
    },
    {
      from: "freeze(own);",
      to: "",
      breaks: "Who reads a ledger changes none of what it was charged with.",
    },
    {
      from: "const own = known.get(event) ?? checkedEvent(event);",
      to: "checkedEvent(event);\n    const own = event;",
      breaks: "A plan is what it was when it was accounted for, whatever becomes of its events.",
    },
  ],
  "events/parse-event.ts": [
    {
      from: "FIELDS[event.kind].map((name) =>",
      to: "FIELDS[event.kind].slice(1).map((name) =>",
      breaks: "Events are the same only with the same noise.",
    },
  ],
  "events/parse-events.ts": [
    {
      from: "new Array<PrivacyEvent>(count as number).fill(parseEvent(event, name))",
      to: "[parseEvent(event, name)]",
      breaks: "Every repetition in a list is accounted.",
    },
  ],
  "guarantee/protection.ts": [
    {
      from: 'const holds = joint.sound && joint.noiseSource === "secure";',
      to: "const holds = joint.sound;",
      breaks: "Seeded noise protects nobody in the table.",
    },
    {
      from: '&& !joint.trust?.includes("in one place")',
      to: "",
      breaks: "No record is protected from a curator that ran the fit over the rows.",
    },
    {
      from: "if (colluding === undefined) return { epsilon, delta };",
      to: "if (colluding !== undefined) return { epsilon, delta };",
      breaks: "All others together know their own noise shares.",
    },
  ],
  "events/random-allocation.ts": [
    {
      from: 'if (adjacency !== "zero-out") {',
      to: 'if (adjacency === "") {',
      breaks: "No amplification by allocation is claimed under replace.",
    },
  ],
  "allocate-budget.ts": [
    {
      from: "if (fits || tries === 60) return",
      to: "if (fits || tries === 0) return",
      breaks: "Budgets give way until the plan fits.",
    },
  ],
  "schedule.ts": [
    {
      from: "math.pow(ratio, -(i + 1))",
      to: "math.pow(ratio, -i)",
      breaks:
        "The first of geometric budgets is divided by the ratio, too: b_0 is that of no round.",
    },
  ],
  "scheduled-rounds.ts": [
    {
      from: "const events = [...extra];",
      to: "const events: PrivacyEvent[] = [];",
      breaks: "Events beside the schedule are paid for by the same budget.",
    },
  ],
  "sensitivity.ts": [
    {
      from: "k * k * Math.sqrt(replace ? 8 * (m - 1) : 2 * m - 1)",
      to: "k * k * Math.sqrt(replace ? 4 * (m - 1) : 2 * m - 1)",
      breaks: "A task's row and column of inner products change together.",
    },
    {
      from: "k * (replace ? Math.SQRT2 * (1 + 2 ** -40) : 1)",
      to: "k",
      breaks: "A replaced moment moves the sum by sqrt(2) K.",
    },
  ],
});
