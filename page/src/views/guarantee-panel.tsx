/**
 * The guarantee in plain words.
 * @module
 */
import type { FitOutcome } from "../work/messages.js";
import { guaranteeWords } from "../text/guarantee-words.js";

const MARKS = { holds: "✓", "does-not-hold": "✗", reproducible: "!", none: "–" } as const;

/** Whether the guarantee holds, in a line. */
export function Verdict({ guarantee }: { guarantee: FitOutcome["guarantee"] }) {
  const { verdict, headline } = guaranteeWords(guarantee);
  return (
    <p class={`verdict ${verdict}`}>
      <span aria-hidden="true">{MARKS[verdict]}</span> {headline}{" "}
      <a href="#guarantee">What is promised, and what is not</a>
    </p>
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
