/**
 * Secure sums and their shares of noise.
 * @module
 */
import { faultsIn } from "./fault.js";

const SUMS = faultsIn("src/federation/secure-aggregation", {
  "attempt/answers.ts": [
    {
      from: 'repeated ? {} : { wrong: "a second, different answer" }',
      to: "{}",
      breaks: "A second, different answer is noticed.",
    },
    {
      from: "addResidues(this.sum, words, bits, 1);",
      to: "addResidues(this.sum, words, bits, -1);",
      breaks: "Contributions are added.",
    },
  ],
  "run/collection.ts": [
    {
      from: "attempt !== this.#attempts.last(round)",
      to: "attempt === 0",
      breaks: "Messages of another attempt count for nothing.",
    },
  ],
  "plan/collusion.ts": [
    {
      from: "colluding <= most ? t - colluding : 1",
      to: "t",
      breaks: "Colluders' shares of noise do not count.",
    },
  ],
  "run/contribution.ts": [
    {
      from: "(vectors.subarray(at, at + d), q, lattice);",
      to: "(vectors.subarray(0, d), q, lattice);",
      breaks: "Every task's vector is in the sum.",
    },
  ],
  "attempt/curator.ts": [
    {
      from: "if (present.size < threshold) {",
      to: "if (present.size < 1) {",
      breaks: "No sum of fewer than the threshold is opened.",
    },
  ],
  "attempt/dealt-shares.ts": [
    {
      from: 'if (!signed("keys", name, peer, keys, signature, identities[peer]!)) {',
      to: "if (signature.length === 0) {",
      breaks: "Keys that their owner did not sign are refused.",
    },
    {
      from: "if (entries.length + 1 < neighbourhood.threshold) {",
      to: "if (entries.length === 0) {",
      breaks:
        "Who was dealt too few shares takes no part: in a ring nothing else joins it to those who open the sum.",
    },
  ],
  "integers/fixed-point.ts": [
    {
      from: "if (norm <= radius * grid) return 1 / grid;",
      to: "if (norm > 0) return 1 / grid;",
      breaks: "A long vector is clipped before it is rounded.",
    },
    {
      from: "return (replace ? 2n : 1n) * whole ** 2n;",
      to: "return whole ** 2n;",
      breaks: "A replaced task changes the integers by sqrt(2) of its own.",
    },
  ],
  "keys/small-order.ts": [
    {
      from: "key[last]! & ~TOP_BIT",
      to: "key[last]!",
      breaks: "The top bit of a key does not count.",
    },
    {
      from: "coordinate % PRIME",
      to: "coordinate",
      breaks: "A key is of small order however it is written.",
    },
  ],
  "keys/host-signatures.ts": [
    {
      from: "!verify || !isOrdinary(publicKey)",
      to: "!verify",
      breaks: "A key of small order is refused, whatever the host takes.",
    },
    {
      from: "isBelow && !SMALL.has(bytesToHex(y))",
      to: "isBelow",
      breaks: "Signatures under a key of small order say nothing of who signed.",
    },
  ],
  "keys/host-crypto.ts": [
    {
      from: "crv: curve,",
      to: 'crv: "Ed25519",',
      breaks: "The host reads a key for what it is, and so spares the work in JavaScript.",
    },
  ],
  "keys/key-agreement.ts": [
    {
      from: "if (!isElement(peer)) return undefined;",
      to: "",
      breaks: "A host is not asked what hosts differ about.",
    },
    {
      from: "agreed.some((byte) => byte !== 0) ? new Uint8Array(agreed) : undefined",
      to: "new Uint8Array(agreed)",
      breaks: "No key is made of an agreement on zero.",
    },
  ],
  "keys/keys.ts": [
    {
      from: "concatBytes(utf8ToBytes(`mp-mtl ${purpose} `), session, uint32(index), content)",
      to: "concatBytes(utf8ToBytes(`mp-mtl `), session, uint32(index), content)",
      breaks: "A signature is for one purpose.",
    },
    {
      from: "return concatBytes(uint32(index), key);",
      to: "return key.slice();",
      breaks: "Who announces another's public key agrees on no key of that one's.",
    },
  ],
  "attempt/masked-integers.ts": [
    {
      from: "addMask(words, key, bits, index < dealer ? 1 : -1);",
      to: "addMask(words, key, bits, 1);",
      breaks: "Masks cancel in the sum.",
    },
  ],
  "attempt/masks.ts": [
    { from: "(4 * done) / BLOCK", to: "0", breaks: "A mask does not repeat." },
    {
      from: "    addResidues(part, words, bits, sign);",
      to: "    if (done === 0) words.fill(0, 0, 2);\n    addResidues(part, words, bits, sign);",
      breaks: "Every word of an input lies beneath masks.",
    },
  ],
  "plan/mechanism.ts": [
    {
      from: 'if (options.sampling && options.sampling.kind !== "all") {',
      to: 'if (options.sampling && options.sampling.kind === "fixed-size") {',
      breaks: "No amplification is claimed where the curator sees who is in a sum.",
    },
  ],
  "attempt/message-parts.ts": [
    {
      from: "if (index <= last || index >= n) return undefined;",
      to: "if (index >= n) return undefined;",
      breaks: "No participant counts twice in a message.",
    },
  ],
  "attempt/messages.ts": [
    {
      from: "if (!equalBytes(bytes.subarray(2, HEADER_BYTES), session))",
      to: "if (bytes.length === 0)",
      breaks: "A message of another attempt is none of this one.",
    },
  ],
  "integers/noise.ts": [
    {
      from: "arena.wipe(at, 8 * entries);",
      to: "",
      breaks: "A share of noise is not left in memory.",
    },
    {
      from: "unit * Math.sqrt(honest) * steps * step * (1 - 2 ** -50)",
      to: "unit * honest * steps * step",
      breaks: "Variances of shares add up.",
    },
  ],
  "integers/numbers.ts": [
    {
      from: "const variance = 2 * participants * steps * steps;",
      to: "const variance = 2 * steps * steps;",
      breaks: "The modulus holds all participants' noise.",
    },
  ],
  "attempt/opening.ts": [
    {
      from: "complaints: [...complaints].map(([dealer, by]) => [dealer, [...by]]),",
      to: "complaints: [],",
      breaks: "Complaints outlive a restart.",
    },
  ],
  "run/own-integers.ts": [
    {
      from: "if (this.#held?.round === round) {",
      to: "if (this.#held?.round === 0) {",
      breaks: "Noise that an earlier process drew is not drawn again.",
    },
    {
      from: "round <= this.#drawnBefore",
      to: "round < this.#drawnBefore",
      breaks: "Noise that an earlier process drew, and that is lost, is not drawn again.",
    },
    {
      from: "this.#own.values.fill(0);",
      to: "",
      breaks: "Integers are wiped when their round is over.",
    },
  ],
  "plan/parties.ts": [
    {
      from: "if (2 * threshold <= n + colluding) {",
      to: "if (2 * threshold <= n) {",
      breaks: "The threshold is above what colluders reach for both secrets.",
    },
  ],
  "integers/parts.ts": [
    {
      from: "perUnit * Math.sqrt(dimension)",
      to: "0",
      breaks: "Rounding the vectors that hold a record counts in how far it moves the sum.",
    },
    {
      from: "const scale = gridScale(v, lattice);",
      to: "const scale = 1 / lattice.grid;",
      breaks: "Vectors are held to their norm before they are rounded.",
    },
  ],
  "attempt/participant.ts": [
    {
      from: "if (entries.length < parties.threshold) {",
      to: "if (entries.length < 1) {",
      breaks: "Shares are opened when the threshold has consented.",
    },
    {
      from: 'if (!signed("included", name, index, this.#statement, bytes, identities[index]!)) {',
      to: "if (bytes.length === 0) {",
      breaks: "Consents are to the same sum.",
    },
    {
      from: "if (kind !== NEXT[this.#step]) {",
      to: "if (NEXT[this.#step] === undefined) {",
      breaks: "No message is answered out of turn.",
    },
    {
      from: "if (!this.#included.has(index)) return `participant ${index} is not in the sum`;",
      to: "",
      breaks: "Only those in the sum consent to it.",
    },
    {
      from: "[...included].some((member) => !dealers.has(member))",
      to: "included.size > n",
      breaks: "Nobody is in a sum who dealt no shares.",
    },
  ],
  "plan/planned.ts": [
    {
      from: "new Set(list.map((one) => one[field])).size !== list.length",
      to: "list.length === 0",
      breaks: "No participant is in a plan twice.",
    },
  ],
  "keys/random-bytes.ts": [
    {
      from: "setUint32(0, drawn++, true)",
      to: "setUint32(0, drawn, true)",
      breaks: "Bytes are drawn once.",
    },
  ],
  "run/reminders.ts": [
    {
      from: "if (came) this.#restart();",
      to: "if (false) this.#restart();",
      breaks: "Nobody is told again while answers come in.",
    },
    {
      from: "this.#next += Math.min(this.#next, LONGEST);",
      to: "",
      breaks: "Waits double where nothing comes.",
    },
    {
      from: "Math.min(this.#next, LONGEST)",
      to: "this.#next",
      breaks: "Waits end at eight times: messages can be lost.",
    },
  ],
  "integers/residues.ts": [
    {
      from: "(from[2 * i + 1]! | 0) * WORD",
      to: "from[2 * i + 1]! * WORD",
      breaks: "Negative sums are negative.",
    },
  ],
  "attempt/ring.ts": [
    {
      from: 'utf8ToBytes("mp-mtl ring "), session)',
      to: 'utf8ToBytes("mp-mtl ring "))',
      breaks: "Every attempt has an order of its own.",
    },
    {
      from: "uniformBelow(last + 1, next)",
      to: "uniformBelow(last, next)",
      breaks: "Every order is as likely as every other.",
    },
  ],
  "plan/ring-size.ts": [
    {
      from: "const threshold = half + mostOf(n, colluding, half, SECRECY_BITS) + 2;",
      to: "const threshold = half + mostOf(n, colluding, half, SECRECY_BITS) + 1;",
      breaks: "No secret on either side of a gap is opened: the proof needs k / 2 + x + 2 shares.",
    },
    {
      from: "if (more * scale > all) return x;",
      to: "if (more * scale > all) return x - 1;",
      breaks: "More colluders than x stand in a row with a probability of 2^-100 at most.",
    },
    {
      from: "const scale = BigInt(n) << BigInt(bits);",
      to: "const scale = 1n << BigInt(bits);",
      breaks: "The bound is on the worst of n windows, not on one.",
    },
  ],
  "run/secure-upload.ts": [
    {
      from: 'this.#output.add({ type: "hold", record: integersRecord(drawn) });',
      to: "",
      breaks: "Integers with noise are held before they are sent.",
    },
    {
      from: 'this.#output.keep({ type: "drawn", round: drawn.round });',
      to: "",
      breaks: "A store from before integers were drawn is an older one.",
    },
  ],
  "keys/session.ts": [
    {
      from: "return [uint32(bytes.length), bytes];",
      to: "return [bytes];",
      breaks: "Names of sums cannot run into each other.",
    },
  ],
  "attempt/setting.ts": [
    {
      from: "new Set(identities.map(String)).size !== identities.length",
      to: "identities.length === 0",
      breaks: "One key does not count as two participants.",
    },
    {
      from: 'concatBytes(utf8ToBytes("mp-mtl numbers "), session, numbers)',
      to: 'concatBytes(utf8ToBytes("mp-mtl numbers "), session)',
      breaks: "Who was told other sizes, and so has another noise, takes part in no sum.",
    },
  ],
  "keys/shamir.ts": [
    {
      from: "return bytes.length === ELEMENT_BYTES && bytesToNumberLE(bytes) < P;",
      to: "return bytes.length === ELEMENT_BYTES;",
      breaks: "A secret has one representation.",
    },
  ],
  "run/sum-attempts.ts": [
    {
      from: "if (!equalBytes(key, this.#identities[this.#index]!)) {",
      to: "if (key.length === 0) {",
      breaks: "A participant has the identity that the plan knows.",
    },
    {
      from: "if (!current && attempt === before)",
      to: "if (!current && attempt < before)",
      breaks: "After a restart nobody takes part in the same attempt under other keys.",
    },
    {
      from: 'return parties.ring ? [{ kind: "begun" }, ...sent] : sent;',
      to: "return sent;",
      breaks: "An attempt is kept before its keys are sent.",
    },
  ],
  "plan/terms.ts": [
    {
      from: "const bits = modulusBits(grid, options.parties.participants, steps);",
      to: "const bits = modulusBits(grid, 1, steps);",
      breaks: "The modulus is for all participants.",
    },
  ],
  "attempt/unmasking.ts": [
    {
      from: "peer < dropped ? -1 : 1);",
      to: "peer < dropped ? 1 : -1);",
      breaks: "Masks of who dropped out are taken off.",
    },
  ],
});

/** Whole numbers, of which the ring's order is made. */
const NUMBERS = faultsIn("src/random", {
  "uniform-below.ts": [
    {
      from: "if (word < limit) return word % bound;",
      to: "return word % (bound - 1 || 1);",
      breaks: "Nobody's place is nearer to another's than chance has it.",
    },
  ],
});

export const FAULTS = [...SUMS, ...NUMBERS];
