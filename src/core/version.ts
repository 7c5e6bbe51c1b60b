/**
 * The release of the package; a test holds it to package.json.
 * @module
 */
export const VERSION = "0.1.0";
