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
        from: "if (!isLater(of, input)) taken.push([place, input.bytes]);",
        to: "taken.push([place, input.bytes]);",
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
        from: "if (this.#held.has(place)) return {};",
        to: "",
        breaks: "A member's input is added once.",
      },
      {
        from: 'if (!awaited.has(place)) return { why: "its input is not awaited" };',
        to: "",
        breaks: "Whoever is out of an attempt is in no sum of it.",
      },
      {
        from: "takeIndices(parsed.body, 0)",
        to: "takeIndices(parsed.body, 2 ** 20)",
        breaks: "No complaint is lost at a relay.",
      },
    ],
    "groups.ts": [
      {
        from: "return names.has(name)",
        to: "return names.has(`${name}.`)",
        breaks: "No participant is a relay.",
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
        breaks: "A relay heeds its own participants alone.",
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
    "relayed-inputs.ts": [
      {
        from: "if (stray !== undefined) {",
        to: "if (stray === -1) {",
        breaks: "Nobody counts twice, by a relay and straight.",
      },
      {
        from: "if (!this.#isOpen(relay)) return [];",
        to: "",
        breaks: "Nothing of a relay counts once its group sends straight.",
      },
      {
        from: "return past ? { ...send, straight: true } : send;",
        to: "return send;",
        breaks: "Who is without a relay sends straight.",
      },
    ],
  }),
  ...faultsIn("src/federation/secure-aggregation", {
    "answers.ts": [
      {
        from: "addResidues(this.sum, sum, this.#setting.bits, 1);",
        to: "addResidues(this.sum, sum, this.#setting.bits, -1);",
        breaks: "A relay's sum is added.",
      },
    ],
    "collection.ts": [
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
    "curator.ts": [
      {
        from: "this.#relayed.isRelayed(from) && !complains(body)",
        to: "this.#relayed.isRelayed(from) && complains(body)",
        breaks:
          "An input that its relay adds up does not count straight; one with complaints does.",
      },
    ],
    "participant.ts": [
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
    "sum-attempts.ts": [
      {
        from: "forRelay && !straight ? this.#relay",
        to: "forRelay ? this.#relay",
        breaks: "A participant sends straight when it is told to.",
      },
    ],
  }),
];
