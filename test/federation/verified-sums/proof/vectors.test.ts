/**
 * The test vectors of draft-chen-cfrg-vdaf-pine-01, byte for byte, from `../shared/reference/pine`.
 * @module
 */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { encodeVector } from "../../../../src/federation/verified-sums/field/encoding.js";
import { FIELD_64, type PrimeField } from "../../../../src/federation/verified-sums/field/field.js";
import { Pine, type Aggregator } from "../../../../src/federation/verified-sums/proof/pine.js";
import {
  decide,
  outputShare,
  prepare,
  type Preparation,
} from "../../../../src/federation/verified-sums/proof/preparation.js";
import { shard } from "../../../../src/federation/verified-sums/proof/shard.js";
import { XOF_TURBO_SHAKE_128 } from "../../../../src/federation/verified-sums/field/xof.js";
import { describeShared, sharedPath, sharedText } from "../../../shared.js";
import { FIELD_128, FIELD_32, XOF_HMAC_SHA256_AES_128 } from "./draft-parts.js";

/** A file of the draft's folder `poc/test_vec/01`; bytes in hexadecimal. */
interface TestVector {
  field: "Field32" | "Field64" | "Field128";
  dimension: number;
  l2_norm_bound: number;
  num_frac_bits: number;
  num_wr_checks: number;
  num_wr_successes: number;
  alpha: number;
  chunk_length: number;
  chunk_length_norm_equality: number;
  proofs: number;
  proofs_norm_equality: number;
  verify_key: string;
  agg_shares: [string, string];
  agg_result: number[];
  prep: {
    measurement: number[];
    nonce: string;
    rand: string;
    public_share: string;
    input_shares: [string, string];
    prep_shares: [[string, string]];
    prep_messages: [string];
    out_shares: [string[], string[]];
  }[];
}

const FOLDER = "reference/pine";
const FIELDS = { Field32: FIELD_32, Field64: FIELD_64, Field128: FIELD_128 };
/** Instances over the XOF of HMAC and AES have numbers of their own. */
const HMAC_IDS = { Field32: 0xffff1005, Field64: 0xffff1004, Field128: 0xffffffff };

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const bytes = (text: string) => Uint8Array.from(Buffer.from(text, "hex"));
const elements = (field: PrimeField, vector: readonly bigint[]) =>
  vector.map((element) => hex(encodeVector(field, [element])));

function instanceOf(name: string, vector: TestVector): Pine {
  const hmac = name.includes("HmacSha256Aes128");
  return new Pine({
    field: FIELDS[vector.field],
    xof: hmac ? XOF_HMAC_SHA256_AES_128 : XOF_TURBO_SHAKE_128,
    id: hmac ? HMAC_IDS[vector.field] : 0xffffffff,
    dimension: vector.dimension,
    radius: BigInt(vector.l2_norm_bound),
    checks: vector.num_wr_checks,
    successes: vector.num_wr_successes,
    alpha: vector.alpha,
    chunk: vector.chunk_length,
    equalityChunk: vector.chunk_length_norm_equality,
    proofs: vector.proofs,
    equalityProofs: vector.proofs_norm_equality,
  });
}

describeShared("test vectors of the PINE draft", [FOLDER], () => {
  const files = readdirSync(sharedPath(FOLDER)).filter((name) => name.endsWith(".json.gz"));

  test("all seven are there", () => {
    expect(files).toHaveLength(7);
  });

  test.each(files)("%s", (name) => {
    const vector = JSON.parse(sharedText(`${FOLDER}/${name}`)) as TestVector;
    const pine = instanceOf(name, vector);
    const { field } = pine.parameters;
    const sums = ([0, 1] as const).map(() => new Array<bigint>(vector.dimension).fill(0n));
    for (const report of vector.prep) {
      const nonce = bytes(report.nonce);
      const grid = report.measurement.map((x) => BigInt(Math.round(x * 2 ** vector.num_frac_bits)));
      const shares = shard(pine, grid, nonce, bytes(report.rand))!;
      expect(hex(shares.publicShare)).toBe(report.public_share);
      expect(shares.inputShares.map(hex)).toEqual(report.input_shares);
      const prepared = ([0, 1] as Aggregator[]).map(
        (aggregator) =>
          prepare(
            pine,
            bytes(vector.verify_key),
            aggregator,
            nonce,
            shares.publicShare,
            shares.inputShares[aggregator],
          ) as Preparation,
      );
      expect(prepared.map(({ message }) => hex(message))).toEqual(report.prep_shares[0]);
      const decision = decide(pine, [prepared[0]!.message, prepared[1]!.message]) as Uint8Array;
      expect(hex(decision)).toBe(report.prep_messages[0]);
      prepared.forEach(({ state }, i) => {
        const share = outputShare(state, decision) as bigint[];
        expect(elements(field, share)).toEqual(report.out_shares[i]);
        share.forEach((x, j) => (sums[i]![j] = field.add(sums[i]![j]!, x)));
      });
    }
    expect(sums.map((sum) => hex(encodeVector(field, sum)))).toEqual(vector.agg_shares);
    const result = sums[0]!.map((x, j) => Number(field.signed(field.add(x, sums[1]![j]!))));
    expect(result.map((x) => x / 2 ** vector.num_frac_bits)).toEqual(vector.agg_result);
  });
});
