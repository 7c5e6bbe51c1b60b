/**
 * Public ranges of the columns of one's own table.
 * @module
 */
import type { RangeSource, StatedRange } from "../work/messages.js";
import { SelectField } from "./select-field.js";

/** What was typed for one column. */
export interface TypedRange {
  readonly least: string;
  readonly most: string;
}

/** By column. */
export type TypedRanges = Readonly<Record<string, TypedRange>>;

const EMPTY: TypedRange = { least: "", most: "" };

/** The range that was typed; null: nothing was; undefined: what was typed is none. */
function rangeOf({ least, most }: TypedRange): StatedRange | null | undefined {
  if (least.trim() === "" && most.trim() === "") return null;
  const numbers = [least, most].map((text) => (text.trim() === "" ? NaN : Number(text)));
  const [from, to] = numbers as [number, number];
  return Number.isFinite(from) && Number.isFinite(to) && from < to ? [from, to] : undefined;
}

/** The ranges that were typed for these columns, and the first column whose range is none. */
export function statedRanges(typed: TypedRanges, names: readonly string[]) {
  const found = names.map((name) => [name, rangeOf(typed[name] ?? EMPTY)] as const);
  return {
    ranges: Object.fromEntries(found.flatMap(([name, range]) => (range ? [[name, range]] : []))),
    wrong: found.find(([, range]) => range === undefined)?.[0] ?? null,
  };
}

const RANGE_SOURCES: readonly (readonly [RangeSource, string])[] = [
  ["table", "the table's own, for a look"],
  ["stated", "stated below, as public knowledge"],
  ["none", "not known"],
];

const RANGE_WORDS: Readonly<Record<RangeSource, string>> = {
  table:
    "The least and largest values of all tasks' rows. That is a look at everyone's data that no budget pays for: " +
    "the guarantee lists it as not covered. State ranges before anything is published.",
  stated:
    "From public knowledge, not from this table; values outside are clipped. Of what stays empty the mixed model " +
    "learns the size in private, for a part of the budget.",
  none:
    "The mixed model then learns the size of every column in private, for a part of the budget; with few tasks " +
    "that is not possible.",
};

/** What was typed for ranges that are known. */
export const typedOf = (ranges: Readonly<Record<string, StatedRange>>): TypedRanges =>
  Object.fromEntries(
    Object.entries(ranges).map(([name, [least, most]]) => [
      name,
      { least: String(least), most: String(most) },
    ]),
  );

interface RangeFieldsProps {
  /** Columns of numbers, the target first. */
  readonly names: readonly string[];
  readonly typed: TypedRanges;
  onInput(name: string, range: TypedRange): void;
}

interface RangeChoiceProps extends RangeFieldsProps {
  readonly from: RangeSource;
  onFrom(source: RangeSource): void;
}

/** Where ranges come from, and the fields where they are stated. */
export function RangeChoice({ from, onFrom, ...fields }: RangeChoiceProps) {
  return (
    <>
      <SelectField
        id="ranges-from"
        label="Ranges of numbers"
        value={from}
        options={RANGE_SOURCES}
        onInput={onFrom}
      />
      <p class="hint">{RANGE_WORDS[from]}</p>
      {from === "stated" && <RangeFields {...fields} />}
    </>
  );
}

/** Two fields for each column. */
function RangeFields({ names, typed, onInput }: RangeFieldsProps) {
  return (
    <div class="ranges" role="group" aria-label="Public ranges">
      {names.map((name) => {
        const own = typed[name] ?? EMPTY;
        const field = (part: keyof TypedRange, words: string) => (
          <input
            type="text"
            inputMode="decimal"
            autocomplete="off"
            aria-label={`${name}, ${words} value`}
            aria-invalid={rangeOf(own) === undefined}
            placeholder={words}
            value={own[part]}
            onInput={({ currentTarget: { value } }) => onInput(name, { ...own, [part]: value })}
          />
        );
        return (
          <div class="range" key={name}>
            <span>{name}</span>
            {field("least", "least")}
            {field("most", "most")}
          </div>
        );
      })}
    </div>
  );
}
