/**
 * Which columns of one's own table are features.
 * @module
 */
import type { FeatureColumn } from "../../text/guess-columns.js";

interface FeatureListProps {
  readonly columns: readonly FeatureColumn[];
  onToggle(name: string, wanted: boolean): void;
}

export function FeatureList({ columns, onToggle }: FeatureListProps) {
  const used = columns.filter((column) => column.used).length;
  const left = columns.filter((column) => !column.used && column.doubt !== undefined);
  return (
    <details class="advanced">
      <summary>
        Feature columns: {used} of {columns.length}
        {left.length > 0 && (
          <span class="small"> (left out: {left.map(({ name }) => name).join(", ")})</span>
        )}
      </summary>
      <div class="feature-list" role="group" aria-label="Feature columns">
        {columns.map((column) => (
          <label class="choice" key={column.name}>
            <input
              type="checkbox"
              checked={column.used}
              onChange={({ currentTarget }) => onToggle(column.name, currentTarget.checked)}
            />
            <span>
              {column.name}
              {column.categorical && <span class="small"> (categories)</span>}
              {column.doubt !== undefined && <span class="hint">{column.doubt}</span>}
            </span>
          </label>
        ))}
      </div>
    </details>
  );
}
