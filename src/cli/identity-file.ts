/**
 * The file with a participant's secret identity for secure sums: 64 hexadecimal digits.
 *
 * It is not the key that NATS knows the participant by: a server chooses the bytes that key signs when
 * it connects, and could have it sign a statement of this protocol.
 * @module
 */
import { readFile, writeFile } from "node:fs/promises";
import { OptionError } from "../core/index.js";
import { identityKey, newIdentity, randomBytesFrom } from "../federation/index.js";

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
export async function openIdentity(path: string): Promise<OpenedIdentity> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw cause;
    const { secret } = newIdentity(randomBytesFrom({ mode: "secure" }));
    await writeFile(path, `${hex(secret)}\n`, { mode: 0o600, flag: "wx" });
    return { secret, publicKey: hex(identityKey(secret)), made: true };
  }
  if (!/^[0-9a-f]{64}\s*$/.test(text)) {
    throw new OptionError(`identity: expected 64 hexadecimal digits in ${path}`);
  }
  const secret = new Uint8Array(Buffer.from(text.trim(), "hex"));
  return { secret, publicKey: hex(identityKey(secret)), made: false };
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
