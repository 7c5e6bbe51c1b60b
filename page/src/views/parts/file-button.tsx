/**
 * A button that asks for a table. The browser's own file input is hidden beside it: its words follow the browser's language, the
 * page's do not.
 * @module
 */
import { useRef } from "preact/hooks";

export function FileButton({
  words,
  label,
  onFile,
}: {
  /** What stands on the button. */
  readonly words: string;
  /** Name of the input, for whoever hears the page or tests it. */
  readonly label: string;
  readonly onFile: (file: File) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" onClick={() => input.current!.click()}>
        {words}
      </button>
      <input
        ref={input}
        type="file"
        class="unseen"
        tabIndex={-1}
        aria-label={label}
        accept=".csv,.tsv,.gz,.parquet"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          // Emptied, so that the same file, corrected, may be opened again.
          currentTarget.value = "";
          if (file) onFile(file);
        }}
      />
    </>
  );
}
