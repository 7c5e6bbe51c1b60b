/**
 * The checksum of a Parquet page, which is that of gzip (RFC 1952, section 8).
 * @module
 */

const TABLE = /* @__PURE__ */ Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** @returns 32 bits, as a signed number. */
export function crc32(bytes: Uint8Array): number {
  let value = -1;
  for (const byte of bytes) value = (value >>> 8) ^ TABLE[(value ^ byte) & 0xff]!;
  return ~value;
}
