/**
 * What a relay of plain sums makes of its participants' messages: clipped vectors, as integers that are added up.
 * @module
 */
import { closeCore, openCore } from "../../core/index.js";
import type { InputReader } from "../relays/gathering.js";
import type { GatherRequest } from "../relays/relay-messages.js";
import { CLEAR_BITS, ClearVectors, residuesOf } from "./clear-sum.js";
import { entriesOf, parseTerms } from "./clear-terms.js";

const NOTHING = new Uint8Array();

/** A participant's vectors from the body of its message; undefined if the bytes are no numbers. */
function vectorsIn(body: Uint8Array): Float64Array | undefined {
  if (body.length % 8 !== 0) return undefined;
  // A copy: the bytes may lie at any offset.
  return new Float64Array(Uint8Array.from(body).buffer);
}

/** The body of a participant's message. */
export const vectorBytes = (values: Float64Array): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

/** One relay's reading of vectors. */
export class ClearInputs {
  readonly #core = openCore();
  readonly #mark = this.#core.arena.mark();

  /** Why a request is not for plain sums, if so. */
  whyNot({ terms = NOTHING, bits, entries }: GatherRequest, size: number): string | undefined {
    const parsed = parseTerms(terms, size);
    return parsed && bits === CLEAR_BITS && entries === entriesOf(parsed.shape)
      ? undefined
      : "what the curator says of a round's vectors is malformed";
  }

  /** Reads the messages of a round; one at a time. @throws RangeError for a request that does not fit. */
  reader({ terms = NOTHING }: GatherRequest, size: number): InputReader {
    const parsed = parseTerms(terms, size);
    if (!parsed) throw new RangeError("terms: expected those of a request that fits");
    this.#core.arena.release(this.#mark);
    const vectors = new ClearVectors(this.#core, parsed.shape);
    return (place, body) => {
      const values = vectorsIn(body);
      if (!values) return "expected vectors";
      const integers = vectors.integersIn(values, parsed.tasks[place]!);
      return typeof integers === "string" ? integers : residuesOf(integers);
    };
  }

  /** Overwrites vectors in memory. */
  close(): void {
    closeCore(this.#core);
  }
}
