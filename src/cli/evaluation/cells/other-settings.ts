/**
 * Which settings of two evaluations differ, for whoever must choose between another folder and the former settings.
 * @module
 */
import { flagName } from "../../../core/messages/flag-name.js";

/** What goes by another name than its flag, or has none. */
const NAMES: Readonly<Record<string, string>> = {
  dataDigest: "the data",
  dataNotes: "the data",
  release: "the release of mp-mtl",
};

interface Header {
  readonly configuration?: Readonly<Record<string, unknown>>;
}

/** ` (--epsilon, the data)`; empty where nothing can be told. */
export function differingSettings(found: string, expected: string): string {
  const [a = {}, b = {}] = [found, expected].map(
    (header) => (JSON.parse(header) as Header).configuration,
  );
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])]
    .filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]))
    .map((name) => NAMES[name] ?? `--${flagName(name)}`);
  return names.length === 0 ? "" : ` (${[...new Set(names)].join(", ")})`;
}
