/**
 * Every error of the package: a stable `code`, a message that names the place, fields with the
 * numbers. Messages never hold data values, model weights or seeds.
 * @module
 */

/** Base of all errors thrown on purpose. */
export class MpMtlError extends Error {
  /** Stable identifier, for programs; the message is for people. */
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    // The classes below say theirs themselves: a minifier renames classes.
    this.name = new.target.name;
    this.code = code;
  }
}

/** Something is wrong with the user's data: rows, columns, tasks, files. Exit code 3. */
export class DataError extends MpMtlError {
  /** "DataError", in minified code too. */
  override readonly name: string = "DataError";
  constructor(message: string, options?: ErrorOptions) {
    super("DATA", message, options);
  }
}

/** An option is unknown, out of range, or does not go with another. Exit code 2. */
export class OptionError extends MpMtlError {
  /** "OptionError", in minified code too. */
  override readonly name: string = "OptionError";
  constructor(message: string, options?: ErrorOptions) {
    super("OPTION", message, options);
  }
}

/** A solver stopped at its iteration limit before its certificate was met. Exit code 5. */
export class ConvergenceError extends MpMtlError {
  /** "ConvergenceError", in minified code too. */
  override readonly name: string = "ConvergenceError";
  constructor(message: string, options?: ErrorOptions) {
    super("CONVERGENCE", message, options);
  }
}

/** The host cannot run the kernels, or the problem does not fit the 4 GiB address space of a memory, or of those of all threads. */
export class HostError extends MpMtlError {
  /** "HostError", in minified code too. */
  override readonly name: string = "HostError";
  constructor(message: string, options?: ErrorOptions) {
    super("HOST", message, options);
  }
}
