/**
 * Which data: what the page brings along, or a file.
 * @module
 */
import { useState } from "preact/hooks";
import { chooseData, openOwnFile, removeOwnTable } from "../../state/choose-data.js";
import { announce } from "../../state/announce.js";
import {
  awaitsTable,
  BUILT_INS,
  dataProblem,
  dataSet,
  loading,
  openTable,
  source,
} from "../../state/data.js";
import { keptName, notKept } from "../../state/kept-table.js";
import { count, plural } from "../../text/numbers.js";
import { perform } from "../../work/pool.js";
import type { BuiltInName } from "../../work/messages.js";
import { FileButton } from "../parts/file-button.js";
import { Problem } from "../parts/problem.js";
import { saveFile } from "../parts/save-file.js";
import { TableForm } from "./table-form.js";

export function DataChoice() {
  return (
    <fieldset>
      <legend>Data</legend>
      {BUILT_INS.map(({ name, title }) => (
        <label class="choice" key={name}>
          <input
            type="radio"
            name="data"
            checked={source.value === name}
            onChange={() => void chooseData(name)}
          />
          {title}
        </label>
      ))}
      <Summary />
      <OwnTable />
      <Problem
        text={dataProblem.value}
        retry={
          source.value === "own" ? undefined : () => void chooseData(source.value as BuiltInName)
        }
      />
    </fieldset>
  );
}

function OwnTable() {
  const [over, setOver] = useState(false);
  return (
    <div
      class={over ? "drop over" : "drop"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const file = event.dataTransfer?.files[0];
        if (file) void openOwnFile(file);
      }}
    >
      <FileButton
        words="Open your own table…"
        label="Table file"
        onFile={(file) => void openOwnFile(file)}
      />
      <span class="hint">
        or drop it here: CSV or Parquet, a row per example. It stays in this browser until you
        remove it.
      </span>
      {notKept.value !== null && (
        <p class="hint">
          The table is open, but not kept: {notKept.value}. After a reload, open it again.
        </p>
      )}
      {keptName.value !== null && (
        <p class="hint kept">
          {keptName.value} is kept in this browser.{" "}
          <button type="button" class="link" onClick={() => void remove()}>
            Remove it
          </button>
        </p>
      )}
      {source.value === "own" && openTable.value && (
        <TableForm key={openTable.value.summary.name} table={openTable.value} />
      )}
    </div>
  );
}

function Summary() {
  const loaded = dataSet.value;
  if (loading.value) return <p class="hint">Loading…</p>;
  const name = source.value;
  const opened = openTable.value?.file.name;
  if (awaitsTable.value) {
    return opened ? <p class="hint">Say which column is what, then use the table.</p> : null;
  }
  if (!loaded) return null;
  const { train, test, dropped } = loaded.data;
  const about = BUILT_INS.find((entry) => entry.name === name);
  return (
    <p class="hint">
      {about?.words ?? `${loaded.title}.`} {count(train.names.length)} {loaded.tasks},{" "}
      {plural(train.featureNames.length, "feature")}, {plural(train.y.length, "row")} to learn from,{" "}
      {count(test.y.length)} to test on.
      {dropped > 0 && ` ${plural(dropped, "row")} without a target left out.`}{" "}
      {name !== "own" && (
        <button type="button" class="link" onClick={() => void saveExample(name)}>
          Save as CSV
        </button>
      )}
    </p>
  );
}

async function remove(): Promise<void> {
  try {
    await removeOwnTable();
  } catch (error) {
    dataProblem.value = `The table could not be removed. ${(error as Error).message}`;
    announce(dataProblem.value);
  }
}

async function saveExample(name: BuiltInName): Promise<void> {
  try {
    const text = await perform("background", "built-in-csv", { name });
    saveFile(`${name}.csv`, "text/csv", text);
  } catch (error) {
    dataProblem.value = (error as Error).message;
  }
}
