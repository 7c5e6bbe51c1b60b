/**
 * Packages that only some users need, and that are installed by these alone.
 * @module
 */
import { HostError } from "./errors.js";

/** What a federated run over NATS needs; `install` names them for npm. */
const NATS = {
  packages: /^@nats-io\//,
  install: "@nats-io/nats-core @nats-io/jetstream @nats-io/kv @nats-io/transport-node",
};

/**
 * What to say where a module could not be loaded because an optional package is not installed.
 * @returns undefined for any other error.
 */
export function missingPackage(error: unknown): HostError | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  if (error.code !== "ERR_MODULE_NOT_FOUND") return undefined;
  const name = /['"]([^'"]+)['"]/.exec(error.message)?.[1];
  if (name === undefined || !NATS.packages.test(name)) return undefined;
  return new HostError(
    `Federated runs over NATS need packages that are not installed. Install them with: npm install ${NATS.install}`,
    { cause: error },
  );
}

/** Loads a module that needs an optional package; {@link missingPackage} tells of its absence. */
export async function loadOptional<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw missingPackage(error) ?? error;
  }
}
