/**
 * No server: the error that says so.
 * @module
 */
import { MpMtlError } from "../../../core/errors.js";

/** No server could be reached. Exit code 1. */
export class ConnectionError extends MpMtlError {
  /** "ConnectionError", in minified code too. */
  override readonly name: string = "ConnectionError";
  constructor(message: string, options?: ErrorOptions) {
    super("CONNECTION", message, options);
  }
}
