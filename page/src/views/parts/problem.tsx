/**
 * What went wrong, and a way to try again.
 * @module
 */

interface ProblemProps {
  /** null: nothing did. */
  readonly text: string | null;
  /** Absent where what to press again stands beside it. */
  readonly retry?: (() => void) | undefined;
}

export function Problem({ text, retry }: ProblemProps) {
  return (
    text && (
      <p class="problem">
        {text}{" "}
        {retry && (
          <button type="button" onClick={retry}>
            Try again
          </button>
        )}
      </p>
    )
  );
}
