/**
 * The file with a party's secret for sums whose vectors the curator does not see: 64 hexadecimal digits. A participant's
 * identity for secure sums signs (Ed25519), the key of one of two aggregators opens shares (X25519).
 *
 * It is not the key that NATS knows the participant by: a server chooses the bytes that key signs when
 * it connects, and could have it sign a statement of this protocol.
 * @module
 */
import { readFile, writeFile } from "node:fs/promises";
import { OptionError } from "../../core/index.js";
import { identityKey, newIdentity, randomBytesFrom } from "../../federation/index.js";

/** An identity, and whether it was just made. */
export interface OpenedIdentity {
  readonly secret: Uint8Array;
  /** 64 hexadecimal digits, for the plan. */
  readonly publicKey: string;
  readonly made: boolean;
}

/**
 * Reads the identity, or makes one that only its owner can read.
 * @throws OptionError if the file holds something else.
 */
export function openIdentity(path: string): Promise<OpenedIdentity> {
  return openSecret(path, "identity", () => newIdentity(secure), identityKey);
}

/**
 * Reads the key of one of two aggregators, or makes one that only its owner can read.
 * @throws OptionError if the file holds something else.
 */
export async function openAggregatorKey(path: string): Promise<OpenedIdentity> {
  // Loaded for runs that need it: it brings the whole of PINE.
  const { keyPair, pairOf } = await import("../../federation/verified-sums/index.js");
  return openSecret(
    path,
    "key",
    () => keyPair(secure),
    (secret) => pairOf(secret).public,
  );
}

/** The result of making an aggregator's key. */
export function madeAggregatorKey(
  who: "leader" | "helper",
  file: string,
  { publicKey }: OpenedIdentity,
) {
  const entry =
    who === "leader"
      ? `"leader": "${publicKey}"`
      : `"helper": {"name": "helper", "key": "${publicKey}"}`;
  const lines = [
    `the ${who}'s secret key is in ${file}: keep it to yourself`,
    `for the plan's aggregation: ${entry}`,
    "tell it to whoever writes the plan in a way that nobody between you can change",
  ];
  return { document: { [who]: publicKey }, text: lines.join("\n") };
}

const secure = randomBytesFrom({ mode: "secure" });

async function openSecret(
  path: string,
  what: string,
  make: () => { readonly secret: Uint8Array },
  publicOf: (secret: Uint8Array) => Uint8Array,
): Promise<OpenedIdentity> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw cause;
    const { secret } = make();
    await writeFile(path, `${hex(secret)}\n`, { mode: 0o600, flag: "wx" });
    return { secret, publicKey: hex(publicOf(secret)), made: true };
  }
  if (!/^[0-9a-f]{64}\s*$/.test(text)) {
    throw new OptionError(`${what}: expected 64 hexadecimal digits in ${path}`);
  }
  const secret = new Uint8Array(Buffer.from(text.trim(), "hex"));
  return { secret, publicKey: hex(publicOf(secret)), made: false };
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
