/**
 * The curator and the participants of a federated run.
 * @module
 */
import { faultsIn } from "./fault.js";

export const FAULTS = faultsIn("src/federation", {
  "curator/rounds/curator-rounds.ts": [
    {
      from: "if (!this.isExpected(position)) row.fill(0);",
      to: "",
      breaks: "Who was not drawn adds nothing.",
    },
    {
      from: 'if (vector.length !== d) return "wrong-length";',
      to: 'if (vector.length > d) return "wrong-length";',
      breaks: "A vector of another length is refused.",
    },
    {
      from: "isLonger(vector, clip)",
      to: "isLonger(vector, clip / 2)",
      breaks: "What is told of clipped vectors is a figure of no honest owner's data.",
    },
    {
      from: "this.#half.entry({ round, rounds, ...figures })",
      to: "this.#half.entry({ round, rounds, ...figures, movement: this.#core.arena.view(this.#block().at, 4)[3] })",
      breaks: "No mean of vectors without noise is in the history.",
    },
    {
      from: "broadcast: this.#core.arena.view(broadcast, broadcastLength).slice(),",
      to: "broadcast: this.#core.arena.view(broadcast, broadcastLength).map((x) => x * (1 + this.#core.arena.view(this.#block().at, 4)[3]!)),",
      breaks: "A broadcast is made of releases alone.",
    },
  ],
  "nats/bucket/bucket-store.ts": [
    {
      from: "if (await this.#read(keyOf(next))) throw",
      to: "if (next < 0) throw",
      breaks: "A curator that waits learns that another one has taken its run up.",
    },
  ],
  "curator/curator-run.ts": [
    {
      from: "this.#output.confirm();\n    this.#collection.remind();",
      to: "this.#collection.remind();",
      breaks: "A curator that waits learns that another one has taken its run up.",
    },
    {
      from: "if (release) this.#output.keep(release);\n    this.#published.add(broadcast);",
      to: "this.#published.add(broadcast);",
      breaks: "Charge and release are kept before they are published.",
    },
    {
      from: "if (rounds.sampled && !kept) this.#samples.keep(round, rounds.expected());",
      to: "",
      breaks: "Who was drawn is kept before anybody is called.",
    },
    {
      from: "if (deadlines >= expelAfter)",
      to: "if (deadlines > expelAfter)",
      breaks: "A participant is expelled after so many deadlines.",
    },
  ],
  "curator/members/admission.ts": [
    {
      from: "if (this.#roundNamed) this.#output.confirm();",
      to: "",
      breaks: "A curator to which nobody registers learns that another one has begun its run.",
    },
    {
      from: 'if (state === "up") this.#output.confirm();',
      to: "",
      breaks: "A curator whose link comes up learns that another one has served its run meanwhile.",
    },
    {
      from: "    this.#gather(from, tasks);\n    this.#output.status",
      to: '    this.#gather(from, tasks);\n    this.#output.tell(from, { type: "registered" });\n    this.#output.status',
      breaks: "Who is told that it is registered is kept.",
    },
    {
      from: 'this.#output.keep({ type: "joined", member: joined });',
      to: "",
      breaks: "Who came late has its place after a restart.",
    },
  ],
  "curator/curator-machine.ts": [
    {
      from: 'this.#output.keep({ type: "members", members, rounds: run.rounds });',
      to: "",
      breaks: "The order of tasks outlives a restart.",
    },
  ],
  "curator/events/curator-output.ts": [
    {
      from: "const effects = this.#effects;\n    this.#effects = [];",
      to: "const effects = this.#effects;",
      breaks: "Effects are carried out once.",
    },
  ],
  "curator/rounds/plain-collection.ts": [
    {
      from: "!positions.every((at) => own.includes(at))",
      to: "positions.length > own.length",
      breaks: "A participant uploads for its own tasks only.",
    },
  ],
  "curator/members/registry.ts": [
    {
      from: "if (latecomers) add(",
      to: "if (latecomers && false) add(",
      breaks: "Places that are kept count among the public sizes.",
    },
    {
      from: "if (!fits || first < 0 ||",
      to: "if (first < 0 ||",
      breaks: "A latecomer has no more rows than its place is for.",
    },
    {
      from: "[...this.#owner.keys()].sort()",
      to: "[...this.#owner.keys()]",
      breaks: "The order of every sum follows from the names, not from who came first.",
    },
    {
      from: 'if (this.#expelled.has(participant)) return "expelled";',
      to: "",
      breaks: "Who was expelled stays so.",
    },
  ],
  "curator/rounds/samples.ts": [
    {
      from: "this.#output.hold(null);",
      to: "",
      breaks: "The held key is wiped when all have their models.",
    },
  ],
  "curator/rounds/sealed-sample.ts": [
    {
      from: "const nonce = random(NONCE_BYTES);",
      to: "const nonce = new Uint8Array(NONCE_BYTES);",
      breaks: "No two samples are sealed with one nonce.",
    },
  ],
  "curator/events/refusals.ts": [
    {
      from: "count <= ONE_BY_ONE || isPowerOfTwo(count);",
      to: "true;",
      breaks: "A flood of refused messages does not fill the log.",
    },
  ],
  "curator/outbox.ts": [
    {
      from: "bytes + outgoing.bytes <= WAITING_BYTES &&",
      to: "true &&",
      breaks: "One participant cannot fill the curator's memory.",
    },
  ],
  "curator/rounds/broadcasts.ts": [
    {
      from: "return this.#broadcasts[round - 1]!;",
      to: "return this.#broadcasts.at(-1)!;",
      breaks: "Who missed a broadcast is given that one.",
    },
  ],
  "protocol/party/agreement.ts": [
    {
      from: "if (agreed !== undefined && agreed !== hash) {",
      to: 'if (agreed !== undefined && hash === "") {',
      breaks: "Only the plan that was agreed on is taken.",
    },
    {
      from: 'if (session === "") {',
      to: 'if (session === "none") {',
      breaks: "A plan that comes without a session is refused.",
    },
  ],
  "participant/data/planned-schema.ts": [
    {
      from: ": scale === null || sameScale(UNIT_SCALE, scale);",
      to: ": true;",
      breaks: "Rows scaled where the plan's schema has no range are refused.",
    },
    {
      from: "own.levels.every((level, at) => level === planned.levels[at]);",
      to: "true;",
      breaks: "Rows of other levels than those of the plan's schema are refused.",
    },
    {
      from: 'if (pooled) return "a range that was taken from them";',
      to: 'if (!pooled) return "a range that was taken from them";',
      breaks: "No message holds a range that was taken from rows.",
    },
  ],
  "participant/data/participant-data.ts": [
    {
      from: "  requirePlannedSchema(data, plan);",
      to: "",
      breaks: "A participant whose rows were prepared otherwise registers for nothing.",
    },
    {
      from: "  estimator.halves.requireOwn?.(prepared, { undeclared: undeclaredColumns(plan), classes });",
      to: "",
      breaks: "What the method refuses of its tasks a participant finds out before it registers.",
    },
  ],
  "protocol/plan/plan-schema.ts": [
    {
      from: "if (declared !== false) return plain;",
      to: "return plain;",
      breaks: "What rows told does not get into a plan.",
    },
    {
      from: "levels: levels.map(text)",
      to: "levels",
      breaks: "A schema has one form, however its levels are spelt.",
    },
  ],
  "participant/take-part.ts": [
    {
      from: "if (!records || !holds) {",
      to: "if (!records) {",
      breaks: "Secure sums need a store that holds their integers.",
    },
  ],
  "participant/participant-run.ts": [
    {
      from: 'if (before === undefined) this.#output.keep({ type: "heard", round, digest });',
      to: "if (before === undefined) void 0;",
      breaks: "What was received is remembered.",
    },
  ],
  "participant/participant-rounds.ts": [
    {
      from: "this.#all = [...positions].sort((a, b) => a - b);",
      to: "this.#all = [...positions];",
      breaks: "Uploads are in the order of the tasks' places.",
    },
  ],
  "participant/participant-records.ts": [
    {
      from: 'case "opened":\n        opened.push(round);',
      to: 'case "opened":\n        opened.push();',
      breaks: "Rounds whose sums were opened are remembered.",
    },
  ],
  "participant/own-state.ts": [
    {
      from: "kept ?? drawStateName()",
      to: "drawStateName()",
      breaks: "A state has one name, also after a restart.",
    },
    {
      from: "own !== undefined && told !== own",
      to: "own !== undefined && told !== undefined && told !== own",
      breaks: "Who adds noise starts where its own state is named, and nowhere else.",
    },
  ],
  "curator/members/states.ts": [
    {
      from: "return known === state ? undefined : known;",
      to: "return known && undefined;",
      breaks: "A second state of a participant is told from the first.",
    },
    {
      from: "this.#bound.add(party);",
      to: "",
      breaks: "A helper that was asked for something is not exchanged for another state of it.",
    },
  ],
  "participant/participant-machine.ts": [
    {
      from: 'this.#output.say({ type: "register", tasks, ...stateField(this.#name) });',
      to: 'this.#output.say({ type: "register", tasks: [...tasks].sort((a, b) => this.#data.select([a.name]).x[0]! - this.#data.select([b.name]).x[0]!) });',
      breaks: "The order in which an owner names its tasks tells nothing of their rows.",
    },
  ],
  "participant/start-run.ts": [
    {
      from: "if (integers && drawn < integers.round)",
      to: "if (integers && drawn > integers.round)",
      breaks: "Integers that are held were drawn, and what is kept says so.",
    },
    {
      from: "if (releasesDigest(rounds.releases) !== message.releases) {",
      to: 'if (message.releases === "") {',
      breaks: "A participant whose release makes other releases of the plan uploads nothing.",
    },
    {
      from: "places.size !== data.m",
      to: "false",
      breaks: "No two tasks of a participant have one place.",
    },
    {
      from: "before.told !== undefined && before.told !== told",
      to: "before.told !== undefined && before.told.length !== told.length",
      breaks: "Sizes told after a restart are those told before.",
    },
    {
      from: "before.rows === undefined || !isKeyOf(before.rows, rowsKey)",
      to: "before.rows === undefined",
      breaks: "Rows are marked anew by a renewed key.",
    },
  ],
  "participant/data/own-rows.ts": [
    {
      from: "hmac(sha256, secret, salt)",
      to: "hmac(sha256, NO_SECRET, salt)",
      breaks: "Marks of rows tell nothing without the owner's key.",
    },
    {
      from: "take(y.subarray(first, end));",
      to: "take(y.subarray(first, first + 1));",
      breaks: "Who comes back with other targets is refused.",
    },
    {
      from: "(_, k) => digestAt(now.digests, k) !== digestAt(before.digests, k),",
      to: "(_, k) => k > 0 && digestAt(now.digests, k) !== digestAt(before.digests, k),",
      breaks: "The rows of every task are those of the start.",
    },
  ],
  "participant/plain-upload.ts": [
    {
      from: "!positions.every((at) => this.#rounds.owns(at))",
      to: "positions.length === 0",
      breaks: "A call for others' tasks is ignored.",
    },
    {
      from: "this.#uploaded = round;\n",
      to: "this.#uploaded = round;\n    if (values.every((value) => value === 0)) return;\n",
      breaks: "Whether an owner answers does not depend on what it has to say.",
    },
  ],
  "participant/statement.ts": [
    {
      from: "entries.every(({ event }, i) => sameEvent(event, planned.plan[i]!)) &&",
      to: "true &&",
      breaks: "The curator's charges are those of the plan.",
    },
    {
      from: "delta === planned.delta &&",
      to: "delta >= 0 &&",
      breaks: "The curator's delta is that of the plan.",
    },
    {
      from: "guarantee: own ?? guarantee,",
      to: "guarantee,",
      breaks: "Where the curator is trusted with nothing no sentence of the statement is its own.",
    },
  ],
  "verified-sums/run/helper-machine.ts": [
    {
      from: "told.m !== m || told.rows !== rows || told.mostRows !== mostRows",
      to: "told.m !== m || told.rows !== rows",
      breaks: "A helper computes with the sizes that it was told first.",
    },
    {
      from: "(ledger?.releases ?? 0) > before",
      to: "(ledger?.releases ?? 0) >= before",
      breaks: "Of a sum that is said again the operator hears once.",
    },
    {
      from: "request.state !== this.#state",
      to: "false",
      breaks: "A helper answers no request for another state of it.",
    },
  ],
  "verified-sums/run/collection.ts": [
    {
      from: 'output.keep({ type: "helper", state })',
      to: "void 0",
      breaks: "A curator that comes back knows which state of the helper it asked.",
    },
  ],
  "curator/rounds/attempt-numbers.ts": [
    {
      from: "this.#last.set(round, attempt);\n",
      to: "",
      breaks: "No two attempts have one number.",
    },
  ],
  "verified-sums/proof/pine.ts": [
    {
      from: 'return this.#expand("measurement", seed, Uint8Array.of(HELPER), length);',
      to: 'return this.#expand("measurement", seed, Uint8Array.of(HELPER), length).fill(0n, 0, 1);',
      breaks: "No word of a report lies open to an aggregator.",
    },
  ],
  "protocol/run-statement.ts": [
    {
      from: 'const trust = { kind: "secure-sums", colluding, participants } as const;',
      to: 'const trust = { kind: "curator" } as const;',
      breaks: "The statement says that the curator is not trusted.",
    },
    {
      from: "...hiddenByCiphers(trust, ring)",
      to: "",
      breaks: "The statement says that sums hide their parts by cryptography alone.",
    },
  ],
  "protocol/records.ts": [
    {
      from: "if (first.plan !== plan) {",
      to: "if (first.plan === undefined) {",
      breaks: "A store of another plan is refused.",
    },
    {
      from: "if (first.draw === draw) return first.session;",
      to: "return first.session;",
      breaks: "Rounds that were drawn in another way are not gone on with.",
    },
  ],
  "protocol/plan/planned-method.ts": [
    {
      from: "if (releases.own) {",
      to: "if (releases.own && aggregation) {",
      breaks: "No own release is drawn again by a participant that returns.",
    },
  ],
  "verified-sums/run/helper-records.ts": [
    {
      from: "over: given.length === sums",
      to: "over: given.length > 0",
      breaks: "A helper whose process ended between two rounds is not over.",
    },
    {
      from: "sums = known.sums ?? Infinity;",
      to: "sums = known.sums ?? 0;",
      breaks: "Records without the number of sums are of a run that may go on.",
    },
  ],
  "verified-sums/run/helper-rounds.ts": [
    {
      from: "if (attempt <= (this.#used.get(round) ?? 0)) return this.#withhold(round, attempt);",
      to: "",
      breaks: "A helper takes part in no attempt twice.",
    },
    {
      from: "new Set(included).size !== included.length || ",
      to: "",
      breaks: "No report is counted twice in a sum.",
    },
    {
      from: "if (round !== this.#given.size + 1) {",
      to: "if (round <= this.#given.size) {",
      breaks: "Rounds are given out in their order.",
    },
  ],
  "protocol/plan/plan.ts": [
    {
      from: "return JSON.parse(JSON.stringify(plan)) as Plan;",
      to: "return plan;",
      breaks: "Whoever makes a plan has what its text says.",
    },
    {
      from: "Math.max(FEWEST_TASKS, aggregate ? fewestTasks(aggregate) : 1)",
      to: "FEWEST_TASKS",
      breaks: "A plan asks for as many tasks as its mean needs.",
    },
    {
      from: "rounds <= MOST_ROUNDS",
      to: "rounds <= 10 * MOST_ROUNDS",
      breaks: "A plan has no more rounds than are charged one by one.",
    },
  ],
});
