/**
 * From numbers to pixels, with ticks at round numbers.
 * @module
 */

/** One axis. */
export interface Scale {
  (value: number): number;
  readonly ticks: readonly number[];
}

const STEPS = [1, 2, 5, 10];

function linearTicks(least: number, most: number, wanted: number): number[] {
  const length = most - least || 1;
  const power = 10 ** Math.floor(Math.log10(length / wanted));
  const distance = (step: number) => Math.abs(length / step - wanted);
  const step = STEPS.map((factor) => factor * power).reduce((a, b) =>
    distance(b) < distance(a) ? b : a,
  );
  const first = Math.ceil(least / step - 1e-9);
  const last = Math.floor(most / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, k) =>
    Number(((first + k) * step).toPrecision(12)),
  );
}

function logTicks(least: number, most: number, wanted: number): number[] {
  const from = Math.floor(Math.log10(least));
  const to = Math.ceil(Math.log10(most));
  const powers = Array.from({ length: to - from + 1 }, (_, k) => from + k);
  const within = (ticks: number[]) =>
    ticks.filter((tick) => tick >= least * 0.999 && tick <= most * 1.001);
  const digits = [[1, 2, 5], [1, 3], [1]].map((leading) =>
    within(powers.flatMap((power) => leading.map((d) => Number((d * 10 ** power).toPrecision(1))))),
  );
  const fitting = digits.find((ticks) => ticks.length <= wanted) ?? digits.at(-1)!;
  const every = Math.ceil(fitting.length / wanted);
  return fitting.filter((_, k) => k % every === 0);
}

/**
 * A scale from [least, most] to [from, to] pixels.
 * @param wanted about how many ticks there is room for.
 * @param whole  ticks at whole numbers only.
 */
export function makeScale(
  kind: "linear" | "log",
  [least, most]: readonly [number, number],
  [from, to]: readonly [number, number],
  wanted: number,
  whole = false,
): Scale {
  const forward = kind === "log" ? Math.log : (value: number) => value;
  const [low, high] = [forward(least), forward(most)];
  const map = (value: number) => from + ((forward(value) - low) / (high - low || 1)) * (to - from);
  const logarithmic = kind === "log" ? logTicks(least, most, wanted) : [];
  // Within less than a decade round powers are too few to read by.
  const ticks = logarithmic.length < 3 ? linearTicks(least, most, wanted) : logarithmic;
  return Object.assign(map, { ticks: whole ? ticks.filter(Number.isInteger) : ticks });
}

/** The range of some numbers with room around it; usable even where there is one number, or none. */
export function paddedRange(
  values: readonly number[],
  kind: "linear" | "log",
  share = 0.06,
): [number, number] {
  const usable = values.filter((v) => Number.isFinite(v) && (kind === "linear" || v > 0));
  if (usable.length === 0) return kind === "log" ? [0.1, 10] : [0, 1];
  const [least, most] = [Math.min(...usable), Math.max(...usable)];
  if (kind === "log") {
    const factor = Math.max((most / least) ** share, 1.15);
    return [least / factor, most * factor];
  }
  const room = (most - least) * share || Math.abs(most) * 0.1 || 1;
  return [least - room, most + room];
}
