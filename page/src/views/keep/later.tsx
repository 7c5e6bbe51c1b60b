/**
 * An owner that was not in the fit: predictions by what all have in common, and by a model of its own that spends nothing.
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { announce } from "../../state/announce.js";
import { source } from "../../state/data.js";
import type { LaterOutcome, LaterRequest } from "../../work/messages.js";
import { perform } from "../../work/pool.js";
import { FileButton } from "../parts/file-button.js";
import { LaterPredictions, laterWords } from "./later-predictions.js";
import { Problem } from "../parts/problem.js";
import { SelectField } from "../parts/select-field.js";

export function Later({ model }: { model: Uint8Array<ArrayBuffer> }) {
  const [found, setFound] = useState<LaterOutcome | null>(null);
  const [chosen, setChosen] = useState("");
  const [working, setWorking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  /** The latest request: an answer to one before it, or of another fit, comes too late. */
  const latest = useRef(0);
  useEffect(() => {
    latest.current++;
    setFound(null);
    setWorking(false);
  }, [model]);
  const learn = async (from: () => Promise<LaterRequest["from"]>) => {
    const own = ++latest.current;
    setWorking(true);
    setProblem(null);
    try {
      const outcome = await perform("background", "later", { model, from: await from() });
      if (own !== latest.current) return;
      setFound(outcome);
      setChosen(outcome.owners[0]!.name);
      announce(laterWords(outcome, outcome.owners[0]!));
    } catch (error) {
      if (own !== latest.current) return;
      setFound(null);
      setProblem((error as Error).message);
    } finally {
      if (own === latest.current) setWorking(false);
    }
  };
  const owner = found?.owners.find(({ name }) => name === chosen);
  return (
    <section aria-labelledby="later-title" aria-busy={working}>
      <h2 id="later-title">An owner that comes later</h2>
      <p class="small">
        Who was not in the fit has a model too: from its own rows and what was released, on its own
        machine. Nothing more is released, so nothing is spent, and the guarantee of those in the
        fit stays as it is; it does not cover the newcomer, who shows nothing to anyone.
      </p>
      <div class="buttons">
        {source.value === "schools" && (
          <button
            type="button"
            aria-disabled={working}
            onClick={() => {
              if (!working) void learn(() => Promise.resolve("made-up"));
            }}
          >
            One more school, made up
          </button>
        )}
        <FileButton
          words="A table of its rows…"
          label="Table of a later owner"
          onFile={(file) =>
            void learn(async () => ({ file: { name: file.name, bytes: await file.arrayBuffer() } }))
          }
        />
      </div>
      <Problem text={problem} />
      {found && found.owners.length > 1 && (
        <SelectField
          id="later-owner"
          label="Whose rows"
          value={chosen}
          options={found.owners.map(({ name }) => [name, name] as const)}
          onInput={setChosen}
        />
      )}
      {found && owner && <LaterPredictions outcome={found} owner={owner} />}
    </section>
  );
}
