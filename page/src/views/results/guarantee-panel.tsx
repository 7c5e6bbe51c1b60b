/**
 * The guarantee in plain words.
 * @module
 */
import type { FitOutcome } from "../../work/messages.js";
import { guaranteeWords, lookedUp } from "../../text/guarantee-words.js";

const MARKS = { holds: "✓", "does-not-hold": "✗", reproducible: "!", none: "–" } as const;

/** The first of many. */
const few = (names: readonly string[]) =>
  names.slice(0, 3).join(", ") + (names.length > 3 ? `, and ${names.length - 3} more` : "");

/** Whether the guarantee holds, in a line, and what it leaves open in another. */
export function Verdict({ guarantee }: { guarantee: FitOutcome["guarantee"] }) {
  const { verdict, headline } = guaranteeWords(guarantee);
  const looked = guarantee.kind === "none" ? [] : lookedUp(guarantee);
  return (
    <>
      <p class={`verdict ${verdict}`}>
        <span aria-hidden="true">{MARKS[verdict]}</span> {headline}{" "}
        <a href="#guarantee">What is promised, and what is not</a>
      </p>
      {looked.length > 0 && (
        <p class="small not-covered">
          Not covered, because it was looked up in everyone's rows: {few(looked)}. What is stated as
          public is covered.
        </p>
      )}
    </>
  );
}

/** The guarantee and its limits. */
export function GuaranteePanel({ guarantee }: { guarantee: FitOutcome["guarantee"] }) {
  const { statements } = guaranteeWords(guarantee);
  return (
    <section id="guarantee" tabIndex={-1} aria-labelledby="guarantee-title">
      <h2 id="guarantee-title">What is promised</h2>
      <dl class="statements">
        {statements.map(({ title, text }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
