/**
 * A field that takes one of a few values.
 * @module
 */

interface SelectFieldProps<T extends string> {
  readonly id: string;
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [T, string])[];
  onInput(value: T): void;
}

/** One of a few values, each with words for it. */
export function SelectField<T extends string>({
  id,
  label,
  value,
  options,
  onInput,
}: SelectFieldProps<T>) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={({ currentTarget }) => onInput(currentTarget.value as T)}
      >
        {options.map(([name, words]) => (
          <option value={name} key={name}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}
