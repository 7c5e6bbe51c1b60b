/**
 * A figure with its caption, and its numbers as a table for whoever prefers or needs them.
 * @module
 */
import type { ComponentChildren } from "preact";
import { short } from "../text/numbers.js";

/** The numbers of a figure. */
export interface Numbers {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
  /** Said below the table. */
  readonly note?: string;
}

interface FigureProps {
  readonly title: string;
  readonly caption?: ComponentChildren;
  readonly numbers?: Numbers;
  readonly children: ComponentChildren;
}

/** A titled figure. */
export function Figure({ title, caption, numbers, children }: FigureProps) {
  return (
    <figure>
      <h3>{title}</h3>
      {children}
      {caption && <figcaption>{caption}</figcaption>}
      {numbers && <NumbersTable title={title} {...numbers} />}
    </figure>
  );
}

function NumbersTable({ title, columns, rows, note }: Numbers & { title: string }) {
  return (
    <details class="numbers">
      <summary>
        Numbers<span class="unseen">: {title}</span>
      </summary>
      <div class="scroll" role="region" aria-label={`Numbers: ${title}`} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th scope="col" key={column}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, i) => (
              <tr key={i}>
                {row.map((cell, j) => (
                  <td key={j} class={typeof cell === "string" ? undefined : "number"}>
                    {cell === null ? "–" : typeof cell === "number" ? short(cell) : cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {note && <p class="small">{note}</p>}
    </details>
  );
}
