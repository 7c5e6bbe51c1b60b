/** What the page's configuration uses of zstddec.mjs. */
export const ZSTDDEC: RegExp;
export function withoutRequest(text: string): string;
