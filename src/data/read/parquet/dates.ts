/**
 * Dates and times of Parquet columns as text, so that a table has in Parquet what it has in CSV.
 * @module
 */
import type { ParquetParsers } from "hyparquet";
import { damaged } from "./form/damage.js";

const SECOND = 1_000_000_000n;
const DAY_MILLISECONDS = 86_400_000;

/** How a column's dates (days) and times (since 1970, in three units) are read. */
export const dateParsers: Pick<
  ParquetParsers,
  | "dateFromDays"
  | "timestampFromMilliseconds"
  | "timestampFromMicroseconds"
  | "timestampFromNanoseconds"
> = {
  dateFromDays: (days) => isoText(days * DAY_MILLISECONDS).slice(0, -"T00:00:00.000Z".length),
  timestampFromMilliseconds: (time) => timeText(BigInt(time) * 1_000_000n),
  timestampFromMicroseconds: (time) => timeText(BigInt(time) * 1000n),
  timestampFromNanoseconds: (time) => timeText(BigInt(time)),
};

/** `YYYY-MM-DD` where the time is midnight, else `YYYY-MM-DD hh:mm:ss`, and what there is of a second. */
function timeText(nanoseconds: bigint): string {
  const part = ((nanoseconds % SECOND) + SECOND) % SECOND;
  const [date, time] = isoText(Number((nanoseconds - part) / 1_000_000n)).split(/T|\.000Z/);
  if (time === "00:00:00" && part === 0n) return date!;
  const fraction = part === 0n ? "" : `.${String(part).padStart(9, "0").replace(/0+$/, "")}`;
  return `${date!} ${time!}${fraction}`;
}

/** @throws ParquetDamage for what no calendar has. */
function isoText(milliseconds: number): string {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? damaged("a date is impossible") : date.toISOString();
}
