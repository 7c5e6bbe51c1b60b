/**
 * Errors as they cross between threads, and come out as what they were.
 * @module
 */
import {
  ConvergenceError,
  DataError,
  HostError,
  MpMtlError,
  OptionError,
} from "../../core/index.js";

/** Those that a caller may tell apart by their class; others keep code and message. */
const CLASSES: Readonly<Record<string, new (message: string) => Error>> = {
  DataError,
  OptionError,
  HostError,
  ConvergenceError,
  RangeError,
  TypeError,
};

/** An error as it crosses. */
export interface CrossingError {
  readonly name: string;
  readonly code: string;
  readonly message: string;
}

/** What a worker answers. */
export type Answer = { readonly value: unknown } | { readonly error: CrossingError };

/** To be sent. */
export function crossing(error: unknown): CrossingError {
  if (!(error instanceof Error)) return { name: "Error", code: "ERROR", message: String(error) };
  const code = error instanceof MpMtlError ? error.code : "ERROR";
  return { name: error.name, code, message: error.message };
}

/** What was sent. */
export function crossed({ name, code, message }: CrossingError): Error {
  const known = Object.hasOwn(CLASSES, name) ? CLASSES[name] : undefined;
  return known ? new known(message) : new MpMtlError(code, message);
}
