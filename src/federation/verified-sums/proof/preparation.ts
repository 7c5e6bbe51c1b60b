/**
 * The aggregators' side of PINE: whether a report's vector is short enough, without seeing it.
 *
 * Each aggregator makes a message of its share (`prepare`); the leader puts both together and decides
 * (`decide`); each compares the joint seeds (`outputShare`) and keeps its share of the vector. Whatever is
 * wrong with a report comes out as a {@link Refusal}.
 * @module
 */
import { concatBytes } from "@noble/hashes/utils.js";
import { equalBytes } from "../../protocol/messages/equal-bytes.js";
import { decodeVector, encodeVector } from "../field/encoding.js";
import type { Element } from "../field/field.js";
import { accepts, proofLength, query, verifierLength } from "./linear-proof.js";
import { HELPER, LEADER, type Aggregator, type JointKind, type Pine } from "./pine.js";
import { randomProducts } from "./products.js";

/** Why a report is refused. */
export type Refusal =
  | "malformed"
  | "proof"
  | "seed"
  /** The query point was a root of unity: nobody's fault, of probability below 2^-50 in Field64. */
  | "query-point";

/** An aggregator's state between its message and the decision. */
export interface Prepared {
  /** d elements. */
  readonly outputShare: Element[];
  /** Both joint seeds as this aggregator has them. */
  readonly seeds: Uint8Array;
}

/** What {@link prepare} makes of a report. */
export interface Preparation {
  readonly state: Prepared;
  /** For the other aggregator. Tells nothing but whether the report is valid. */
  readonly message: Uint8Array;
}

/**
 * One aggregator's message about one report.
 *
 * @param verifyKey  secret of both aggregators, `xof.seedBytes` long: participants must not know it.
 * @param nonce      the report's. With one key, each report is prepared once.
 */
export function prepare(
  pine: Pine,
  verifyKey: Uint8Array,
  aggregator: Aggregator,
  nonce: Uint8Array,
  publicShare: Uint8Array,
  inputShare: Uint8Array,
): Preparation | Refusal {
  const { parameters, xof } = pine;
  const { field, dimension, vectorAndNormLength } = parameters;
  const share = readInputShare(pine, aggregator, inputShare);
  if (!share || publicShare.length !== pine.publicShareBytes) return "malformed";
  const n = xof.seedBytes;
  const said = (i: number) => publicShare.subarray(i * n, (i + 1) * n);

  const ownPart = (kind: JointKind, values: readonly Element[]) =>
    pine.jointPart(kind, aggregator, share.blinds[kind], nonce, values);
  const seedOf = (kind: JointKind, own: Uint8Array, first: number) =>
    pine.jointSeed(kind, aggregator === LEADER ? [own, said(first + 1)] : [said(first), own]);

  const productPart = ownPart("product", share.measurement.slice(0, vectorAndNormLength));
  const productSeed = seedOf("product", productPart, 0);
  const vector = share.measurement.slice(0, dimension);
  const products = randomProducts(vector, parameters, pine.productStream(productSeed));
  const jointPart = ownPart("joint", share.measurement);
  const jointSeed = seedOf("joint", jointPart, 2);

  const verifier = queryAll(
    pine,
    [...share.measurement, ...products],
    share.proofs,
    pine.queryPoints(verifyKey, nonce),
    pine.jointRandomness(jointSeed),
  );
  if (!verifier) return "query-point";
  return {
    state: { outputShare: vector, seeds: concatBytes(productSeed, jointSeed) },
    message: concatBytes(encodeVector(field, verifier), productPart, jointPart),
  };
}

/** Bytes of a preparation message. */
export function preparationBytes(pine: Pine): number {
  return verifiersLength(pine) * pine.parameters.field.bytes + 2 * pine.xof.seedBytes;
}

/**
 * Both aggregators' messages together: the joint seeds if the report is valid.
 *
 * @param messages of leader and helper.
 */
export function decide(
  pine: Pine,
  messages: readonly [Uint8Array, Uint8Array],
): Uint8Array | Refusal {
  const { field } = pine.parameters;
  const elements = verifiersLength(pine);
  if (messages.some(({ length }) => length !== preparationBytes(pine))) return "malformed";
  const end = elements * field.bytes;
  const [leader, helper] = messages.map((m) => decodeVector(field, m.subarray(0, end), elements));
  if (!leader || !helper) return "malformed";
  const verifier = leader.map((value, i) => field.add(value, helper[i]!));
  let at = 0;
  for (const { circuit, times } of pine.proved) {
    for (let i = 0; i < times; i++) {
      if (!accepts(circuit, verifier.slice(at, (at += verifierLength(circuit))))) return "proof";
    }
  }
  const n = pine.xof.seedBytes;
  const part = (aggregator: Aggregator, i: number) =>
    messages[aggregator].subarray(end + i * n, end + (i + 1) * n);
  return concatBytes(
    pine.jointSeed("product", [part(LEADER, 0), part(HELPER, 0)]),
    pine.jointSeed("joint", [part(LEADER, 1), part(HELPER, 1)]),
  );
}

/** This aggregator's share of the vector, if the joint seeds are those it computed with. */
export function outputShare(state: Prepared, decision: Uint8Array): Element[] | Refusal {
  const { seeds } = state;
  return equalBytes(decision, seeds) ? state.outputShare : "seed";
}

interface InputShare {
  readonly measurement: Element[];
  readonly proofs: Element[];
  readonly blinds: Readonly<Record<JointKind, Uint8Array>>;
}

function readInputShare(
  pine: Pine,
  aggregator: Aggregator,
  bytes: Uint8Array,
): InputShare | undefined {
  if (bytes.length !== pine.inputShareBytes(aggregator)) return undefined;
  const { field, length } = pine.parameters;
  const n = pine.xof.seedBytes;
  const end = bytes.length;
  const blinds = { product: bytes.subarray(end - 2 * n, end - n), joint: bytes.subarray(end - n) };
  if (aggregator === HELPER) {
    const measurement = pine.helperMeasurement(bytes.subarray(0, n));
    return { measurement, proofs: pine.helperProofs(bytes.subarray(n, 2 * n)), blinds };
  }
  const cut = length * field.bytes;
  const measurement = decodeVector(field, bytes.subarray(0, cut), length);
  const proofs = decodeVector(field, bytes.subarray(cut, end - 2 * n), pine.proofsLength);
  return measurement && proofs && { measurement, proofs, blinds };
}

function queryAll(
  pine: Pine,
  input: readonly Element[],
  proofs: readonly Element[],
  points: readonly Element[],
  joint: readonly Element[],
): Element[] | undefined {
  const { field } = pine.parameters;
  const half = field.invert(2n);
  const verifier: Element[] = [];
  let [proof, proofAt, jointAt] = [0, 0, 0];
  for (const { circuit, times } of pine.proved) {
    for (let i = 0; i < times; i++) {
      const own = proofs.slice(proofAt, (proofAt += proofLength(circuit)));
      const shared = joint.slice(jointAt, (jointAt += circuit.jointLength));
      const message = query(circuit, input, own, points[proof++]!, shared, half);
      if (!message) return undefined;
      verifier.push(...message);
    }
  }
  return verifier;
}

function verifiersLength(pine: Pine): number {
  return pine.proved.reduce((sum, { circuit, times }) => sum + times * verifierLength(circuit), 0);
}
