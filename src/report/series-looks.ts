/**
 * How series are told apart in reports: the same methods look the same in every figure.
 * @module
 */
import { lookOf, PLAIN_COLOURS, type SeriesLook } from "../charts/index.js";
import { METHOD_NAMES } from "../learning/index.js";

/**
 * A look for each series. Methods are looked at in the order of the list of methods, whatever theirs in the
 * figure; each takes the look of its place there, or the next whose colour is free while there is one.
 */
export function seriesLooks(series: readonly string[]): SeriesLook[] {
  if (!series.every((name) => METHOD_NAMES.includes(name))) return series.map((_, k) => lookOf(k));
  const places = new Map<string, number>();
  const taken = new Set<number>();
  for (const method of METHOD_NAMES.filter((name) => series.includes(name))) {
    const preferred = METHOD_NAMES.indexOf(method);
    let place = preferred;
    while (taken.size < PLAIN_COLOURS && taken.has(place % PLAIN_COLOURS)) place++;
    taken.add(place % PLAIN_COLOURS);
    places.set(method, place);
  }
  return series.map((name) => lookOf(places.get(name)!));
}
