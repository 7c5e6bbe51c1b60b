/**
 * Which nats-servers will do: checked when a connection is made, by the version that the server states.
 * @see https://advisories.nats.io/CVE/secnote-2026-03.txt (CVE-2026-27889: one frame without a key ends a server with a
 * websocket port; fixed in 2.11.14 and 2.12.5).
 * @module
 */
import { OptionError } from "../../../core/errors.js";

type Version = readonly [number, number, number];

/** The oldest server that is tested. */
const OLDEST: Version = [2, 9, 10];
/** Oldest of each line whose websocket port cannot be crashed by anyone; later lines are. */
const SAFE_WEBSOCKET: readonly Version[] = [
  [2, 11, 14],
  [2, 12, 5],
];

const isOlder = (a: Version, b: Version) =>
  a[0] !== b[0] ? a[0] < b[0] : a[1] !== b[1] ? a[1] < b[1] : a[2] < b[2];

function parseVersion(text: string | undefined): Version | undefined {
  const found = /^(\d+)\.(\d+)\.(\d+)/.exec(text ?? "");
  return found ? [Number(found[1]), Number(found[2]), Number(found[3])] : undefined;
}

/** Whether a server of that version can be ended by one frame on its websocket port. */
function hasUnsafeWebsocket(version: Version): boolean {
  const line = SAFE_WEBSOCKET.find(
    ([major, minor]) => major === version[0] && minor === version[1],
  );
  return isOlder(version, line ?? SAFE_WEBSOCKET[0]!);
}

/**
 * Refuses a server that is too old.
 *
 * @param stated what the server says its version is.
 * @param over   how it was reached; `oldServer` lets a websocket to an unsafe one through, for trials.
 * @throws OptionError naming both versions.
 */
export function requireServer(
  stated: string | undefined,
  over: { readonly websocket: boolean; readonly oldServer?: boolean | undefined },
): void {
  const version = parseVersion(stated);
  if (!version || isOlder(version, OLDEST)) {
    throw new OptionError(
      `nats: the server is of version ${stated ?? "unknown"}, needed is ${OLDEST.join(".")} or newer; install one ` +
        `from https://github.com/nats-io/nats-server/releases.`,
    );
  }
  if (!over.websocket || over.oldServer || !hasUnsafeWebsocket(version)) return;
  throw new OptionError(
    `nats: the server is of version ${stated}, whose websocket port anyone can crash without a key (CVE-2026-27889); ` +
      `install ${SAFE_WEBSOCKET.map((safe) => safe.join(".")).join(", ")} or newer.`,
  );
}
