/**
 * Relays of secure sums, at their own end, the participants' and the curator's.
 * @module
 */
import { faultsIn } from "./fault.js";

export const FAULTS = [
  ...faultsIn("src/federation/relays", {
    "drive-relay.ts": [
      {
        from: "requireConsent(options);",
        to: "",
        breaks: "Nobody relays without agreeing to a plan.",
      },
    ],
    "early-inputs.ts": [
      {
        from: "if (!isLater(of, input)) taken.push([source, input.bytes]);",
        to: "taken.push([source, input.bytes]);",
        breaks: "An input of an older attempt counts for nothing.",
      },
      {
        from: "if (this.#bytes + input.bytes.length > this.#mostBytes) return;",
        to: "",
        breaks: "What comes early cannot take all memory.",
      },
    ],
    "gathering.ts": [
      {
        from: "this.#given.has(source) : this.#held.has(place!)",
        to: "this.#given.has(source) : false",
        breaks: "A member's input is added once.",
      },
      {
        from: "if (from.isRelay ? this.#given.has(source)",
        to: "if (from.isRelay ? false",
        breaks: "A relay's sum is added once.",
      },
      {
        from: '(from.isRelay ? "partial" : "input")',
        to: '"partial" && kind !== "input"',
        breaks: "Sums are taken of relays alone, inputs of participants.",
      },
      {
        from: "if (![...held].every((place) => awaited.has(place))) {",
        to: "if (places.length === 0) {",
        breaks: "Whoever is out of an attempt is in no relay's sum of it.",
      },
      {
        from: "(held.has(place) ? this.#held : this.#gone).add(place);",
        to: "this.#held.add(place);",
        breaks: "A relay names those alone whose inputs are in its sum.",
      },
      {
        from: "!this.#held.has(place) && !this.#gone.has(place)",
        to: "!this.#held.has(place)",
        breaks: "Nobody waits for whom a relay's sum lacks.",
      },
      {
        from: "(hidden || !sum)",
        to: "!sum",
        breaks: "The curator has word of a relay whose sums it does not see.",
      },
      {
        from: 'if (!awaited.has(place)) return "its input is not awaited";',
        to: "",
        breaks: "Whoever is out of an attempt is in no sum of it.",
      },
      {
        from: "takeIndices(body, 0)",
        to: "takeIndices(body, 2 ** 20)",
        breaks: "No complaint is lost at a relay.",
      },
    ],
    "plan/groups.ts": [
      {
        from: 'checkNames(`plan: aggregation.relays[${at}]`, one, ["name", "relay"]);',
        to: "",
        breaks: "What a plan says of relays is not lost unseen.",
      },
      {
        from: "return known.has(name)",
        to: "return known.has(`${name}.`)",
        breaks: "No participant is a relay.",
      },
      {
        from: "if (above.has(last)) {",
        to: "if (above.has(`${last}.`)) {",
        breaks: "The sums of every relay come to the curator.",
      },
      {
        from: "if (!adding.has(name)) {",
        to: "if (adding.size === 0) {",
        breaks: "A plan has no relay that nobody sends to.",
      },
      {
        from: "if (above.size < relays.length)",
        to: "if (above.size > relays.length)",
        breaks: "A relay's sums are for one other alone.",
      },
    ],
    "relay-machine.ts": [
      {
        from: "if (!own || message.participant !== from || ",
        to: "if (!own || ",
        breaks: "Nobody speaks in another's name to a relay.",
      },
      {
        from: 'this.#refuse(from, "it is not one of those beneath this relay");\n      return;',
        to: "",
        breaks: "A relay heeds those beneath it alone.",
      },
      {
        from: "if (!sum) return;\n    this.output.say",
        to: "if (!sum) return;\n    for (const { name } of this.#place.sources) this.output.say(this.#message(sum), name);\n    this.output.say",
        breaks: "No participant is sent a sum that has no noise.",
      },
      {
        from: "...this.#at, inputs, awaited }",
        to: "...this.#at, inputs, awaited, check: sum.reduce((a, b) => a + b, 0) }",
        breaks: "What a relay logs is of no vector.",
      },
      {
        from: "if (straight) this.#straight = true;",
        to: "if (straight !== undefined) this.#straight = false;",
        breaks: "A relay gives its sums to the curator when it is told to.",
      },
      {
        from: "this.#straight ? undefined : this.#place.above",
        to: "undefined",
        breaks: "A relay's sums are for the relay above it.",
      },
      {
        from: "this.#straight = false;",
        to: "",
        breaks: "In the next attempt a relay's sums are for the relay above it again.",
      },
    ],
    "relay-messages.ts": [
      {
        from: "entries * (bits / 8) > MOST_BYTES",
        to: "entries > 2 ** 40",
        breaks: "A curator cannot have a relay take all memory.",
      },
      {
        from: "parseSet(body.subarray(0, end), size)",
        to: "parseSet(body.subarray(0, end), 8 * end)",
        breaks: "A sum names members of its group alone.",
      },
    ],
    "relay-routes.ts": [
      {
        from: "return above === undefined || !this.isOpen(above);",
        to: "return above === undefined;",
        breaks: "Where a relay is done without, sums of those beneath it are for the curator.",
      },
      {
        from: "of.length === 0 || of.some((one) => held.has(one))",
        to: "of.length >= 0",
        breaks: "A relay of which nothing is in the sum above is asked by the curator itself.",
      },
      {
        from: "end < 0 ? path : path.slice(0, end)",
        to: "path.slice(0, 1)",
        breaks: "No relay waits for an input that is counted already.",
      },
    ],
    "relay-tree.ts": [
      {
        from: "members.filter((one) => !beneath.has(one))",
        to: "[...members]",
        breaks: "A participant is its own relay's, and not that of relays above.",
      },
      {
        from: "Math.max(heights[at]!, ++height)",
        to: "1",
        breaks: "A relay gives what it has after those beneath it.",
      },
    ],
    "sources.ts": [
      {
        from: "groups[child]!.members.map((index) => places.get(index)!)",
        to: "groups[child]!.members.map((_, place) => place)",
        breaks: "Sets of relays are joined each where its members stand.",
      },
    ],
    "relayed-inputs.ts": [
      {
        from: "this.#deadlines > 1 && !this.#spoke.has(relay)",
        to: "this.#deadlines > 99 && !this.#spoke.has(relay)",
        breaks: "A relay that is not there is done without after two deadlines, at whatever level.",
      },
      {
        from: "if (this.#tree.height(relay) <= this.#deadlines) routes.close(relay);",
        to: "routes.close(relay);",
        breaks: "Deadlines go up the tree.",
      },
      {
        from: "if (routes.isTop(relay)) return this.#take(relay, body);",
        to: "return this.#take(relay, body);",
        breaks: "A sum that is for another relay does not count at the curator.",
      },
      {
        from: "[...routes.above(relay), ...routes.children(relay)]",
        to: "routes.above(relay)",
        breaks: "Where a relay lies, those beneath it give their sums to the curator at once.",
      },
      {
        from: "[...routes.above(relay), ...routes.children(relay)];",
        to: "routes.children(relay);",
        breaks: "Nobody waits above a relay that lies for those who send past it.",
      },
      {
        from: "for (const at of path) this.short.add(at);",
        to: "this.short.add(path[0]!);",
        breaks: "No relay at whatever level can stop a run by leaving inputs out.",
      },
      {
        from: "this.#back.add(relay);",
        to: "",
        breaks: "A relay that was restarted is not taken at its word that it has nothing.",
      },
      {
        from: "this.#back.has(relay) && !this.#spared.has(relay)",
        to: "this.#back.has(relay)",
        breaks: "A relay that comes back again and again cannot stop a run.",
      },
      {
        from: "const straight = above !== undefined && this.#routes.isTop(relay);",
        to: "const straight = above !== undefined && this.#options.straight.size > 99;",
        breaks: "A relay whose sum the curator awaits is told so.",
      },
      {
        from: "else this.#spoke.add(child);",
        to: "",
        breaks: "A relay that has given its sum is not taken for one that is not there.",
      },
      {
        from: "if (stray !== undefined) {",
        to: "if (stray === -1) {",
        breaks: "Nobody counts twice, by a relay and straight.",
      },
      {
        from: "const routes = this.#routes;\n    if (!routes.isOpen(relay)) return [];",
        to: "const routes = this.#routes;",
        breaks: "Nothing of a relay counts once its group sends straight.",
      },
      {
        from: "return this.#routes.isPast(participant) ? { ...send, straight: true } : send;",
        to: "return send;",
        breaks: "Who is without a relay sends straight.",
      },
    ],
  }),
  ...faultsIn("src/federation/secure-aggregation", {
    "attempt/answers.ts": [
      {
        from: "addResidues(this.sum, sum, this.#setting.bits, 1);",
        to: "addResidues(this.sum, sum, this.#setting.bits, -1);",
        breaks: "A relay's sum is added.",
      },
    ],
    "run/collection.ts": [
      {
        from: "...(effect.straight ? { straight: true } : {}),",
        to: "",
        breaks: "A relay hears that its sum is for the curator.",
      },
      {
        from: "this.#silentRelays.add(relay);",
        to: "",
        breaks: "A relay that gave no sum is not waited for in the next round.",
      },
      {
        from: "this.#shortRelays.add(relay);",
        to: "",
        breaks: "A relay that leaves everyone out cannot stop a run.",
      },
    ],
    "plan/planned.ts": [
      {
        from: "...(relays.length === 0",
        to: "...(relays.length < 0",
        breaks: "A plan without relays of relays keeps its hash.",
      },
    ],
    "attempt/curator.ts": [
      {
        from: "return [...taken.asked, ...this.#closeIfComplete",
        to: "return [...this.#closeIfComplete",
        breaks: "Relays that a sum holds nothing of are asked.",
      },
      {
        from: "this.#relayed.isRelayed(from) && !complains(body)",
        to: "this.#relayed.isRelayed(from) && complains(body)",
        breaks:
          "An input that its relay adds up does not count straight; one with complaints does.",
      },
    ],
    "attempt/participant.ts": [
      {
        from: "this.#forRelay = complaints.length === 0;",
        to: "this.#forRelay = true;",
        breaks: "Complaints go to the curator and to nobody else.",
      },
      {
        from: 'this.#step = "consent";\n    this.#forRelay = false;',
        to: 'this.#step = "consent";',
        breaks: "A relay gets no consent and no share.",
      },
    ],
    "run/sum-attempts.ts": [
      {
        from: "forRelay && !straight ? this.#relay",
        to: "forRelay ? this.#relay",
        breaks: "A participant sends straight when it is told to.",
      },
    ],
  }),
  ...faultsIn("src/federation/relayed-sums", {
    "clear-sum.ts": [
      {
        from: "      this.#core.kernels.clipRows(this.#row, this.#row, 1, d, clip);\n",
        to: "",
        breaks: "Who reads a vector clips it.",
      },
      {
        from: "if (isLonger(row, clip)) clipped++;",
        to: "clipped += this.#core.kernels.clipRows(this.#row, this.#row, 1, d, clip);",
        breaks: "No count that operators see depends on data.",
      },
      {
        from: "clipped >= 0 && clipped <= tasks && isSumOf(tasks, integers, shape)",
        to: "clipped >= 0",
        breaks: "A relay puts no more into a sum than its participants could.",
      },
    ],
    "collection.ts": [
      {
        from: "relayed.isRelayed(index) && !this.#aside.has(index)",
        to: "false",
        breaks: "Vectors that a relay adds up do not count straight.",
      },
    ],
    "relayed-upload.ts": [
      {
        from: "this.#relay === undefined || this.#straight === round",
        to: "this.#relay === undefined",
        breaks: "A participant sends straight when it is told to.",
      },
    ],
  }),
];
