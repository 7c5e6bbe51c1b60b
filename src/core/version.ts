/**
 * The release of the package; a test holds it to package.json.
 * @module
 */

/** The release, as in package.json. */
export const VERSION = "0.1.0";
