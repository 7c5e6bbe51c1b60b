/**
 * The guarantee in plain words.
 * @module
 */
import type { FitOutcome } from "../work/messages.js";
import { guaranteeWords } from "../text/guarantee-words.js";

const MARKS = { holds: "✓", "does-not-hold": "✗", reproducible: "!", none: "–" } as const;

export function GuaranteePanel({ guarantee }: { guarantee: FitOutcome["guarantee"] }) {
  const { verdict, headline, statements } = guaranteeWords(guarantee);
  return (
    <section aria-labelledby="guarantee-title">
      <h2 id="guarantee-title">What is promised</h2>
      <p class={`verdict ${verdict}`}>
        <span aria-hidden="true">{MARKS[verdict]}</span> {headline}
      </p>
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
