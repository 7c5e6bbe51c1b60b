/**
 * Public ranges of the columns of one's own table.
 * @module
 */
import { limitsFault } from "../../../../src/data/columns/limits.js";
import type { RangeSource, StatedLimits, StatedRange } from "../../work/messages.js";
import { SelectField } from "../parts/select-field.js";

/** What was typed for one column. */
export interface TypedRange {
  readonly least: string;
  readonly most: string;
}

/** By column. */
export type TypedRanges = Readonly<Record<string, TypedRange>>;

export const EMPTY: TypedRange = { least: "", most: "" };

/** What was typed for a column, which may be called as what every object has: toString. */
const typedFor = (typed: TypedRanges, name: string): TypedRange =>
  Object.hasOwn(typed, name) ? typed[name]! : EMPTY;

/** The range that was typed; null: nothing was; undefined: what was typed is none. */
function rangeOf({ least, most }: TypedRange): StatedRange | null | undefined {
  if (least.trim() === "" && most.trim() === "") return null;
  const numbers = [least, most].map((text) => (text.trim() === "" ? NaN : Number(text)));
  const [from, to] = numbers as [number, number];
  return Number.isFinite(from) && Number.isFinite(to) && from < to ? [from, to] : undefined;
}

/** The ranges that were typed for these columns, and the first column whose range is none. */
export function statedRanges(typed: TypedRanges, names: readonly string[]) {
  const found = names.map((name) => [name, rangeOf(typedFor(typed, name))] as const);
  return {
    ranges: Object.fromEntries(found.flatMap(([name, range]) => (range ? [[name, range]] : []))),
    wrong: found.find(([, range]) => range === undefined)?.[0] ?? null,
  };
}

/** A limit that was typed; null: none was; NaN: what was typed is none. */
const limitOf = (text: string) =>
  text.trim() === "" ? null : Number.isFinite(Number(text)) ? Number(text) : NaN;

/** The limits that were typed for a target of that range, if any, and why they cannot be used. */
export function statedLimits({ least, most }: TypedRange, range: StatedRange | undefined) {
  const limits: StatedLimits = [limitOf(least), limitOf(most)];
  const [from, to] = limits;
  if (from === null && to === null) return { wrong: null };
  if (Number.isNaN(from) || Number.isNaN(to)) return { wrong: "expected a number, or nothing" };
  const wrong = limitsFault(limits, range);
  return wrong === null ? { limits, wrong } : { wrong };
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
    "From public knowledge, not from this table: between which nearly all values lie. Values outside are kept, up to a " +
    "whole width of the range beyond either end. Of what stays empty the mixed model learns the size in private, for a part " +
    "of the budget.",
  none:
    "The mixed model then learns the size of every column in private, for a part of the budget; with few tasks " +
    "that is not possible.",
};

/** What was typed for limits that are known. */
export const typedLimitsOf = ([least, most]: StatedLimits = [null, null]): TypedRange => ({
  least: String(least ?? ""),
  most: String(most ?? ""),
});

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
  /** What the target cannot be less or more than; null: it is no number. */
  readonly limits: TypedRange | null;
  /** Whether they can be used. */
  readonly limitsFit: boolean;
  onLimits(limits: TypedRange): void;
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

interface PairProps {
  /** What both are of. */
  readonly name: string;
  readonly words: readonly [least: string, most: string];
  readonly hint: string;
  readonly typed: TypedRange;
  readonly fits: boolean;
  onInput(typed: TypedRange): void;
}

function Pair({ name, words: [least, most], hint, typed, fits, onInput }: PairProps) {
  const field = (part: keyof TypedRange, words: string) => (
    <input
      type="text"
      inputMode="decimal"
      autocomplete="off"
      aria-label={`${name}, ${words}${hint}`}
      aria-invalid={!fits}
      placeholder={words}
      value={typed[part]}
      onInput={({ currentTarget: { value } }) => onInput({ ...typed, [part]: value })}
    />
  );
  return (
    <div class="range">
      <span>{name}</span>
      {field("least", least)}
      {field("most", most)}
    </div>
  );
}

/** Two fields for each column, and two for the target's limits. */
function RangeFields({ names, typed, onInput, limits, limitsFit, onLimits }: RangeFieldsProps) {
  return (
    <>
      <div class="ranges" role="group" aria-label="Public ranges">
        {names.map((name) => {
          const own = typedFor(typed, name);
          return (
            <Pair
              key={name}
              name={name}
              words={["least", "most"]}
              hint=" value"
              typed={own}
              fits={rangeOf(own) !== undefined}
              onInput={(range) => onInput(name, range)}
            />
          );
        })}
      </div>
      {limits && (
        <div class="ranges" role="group" aria-label="Limits of the target">
          <Pair
            name={`${names[0]!} cannot be`}
            words={["below", "above"]}
            hint=""
            typed={limits}
            fits={limitsFit}
            onInput={onLimits}
          />
          <p class="hint">
            By its meaning, as a count is never less than 0: no prediction is beyond. Leave empty
            what has no limit.
          </p>
        </div>
      )}
    </>
  );
}
