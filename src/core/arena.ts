/**
 * Bump allocator over the kernels' memory, with mark and release.
 * @module
 */
import { ADDRESS_SPACE } from "./address-space.js";
import { HostError } from "./errors.js";
import type { Pointer } from "./kernels/pointer.js";

const PAGE = 65536;
const ALIGNMENT = 16;
/** Least that the memory grows by: 2 MiB. */
const PAGES_AT_ONCE = 32;

/**
 * Hands out 16-byte aligned blocks and takes them back in reverse order. Growing the memory
 * detaches every typed array over it, so views are made where they are used and never kept.
 */
export class Arena {
  readonly #memory: WebAssembly.Memory;
  readonly #base: number;
  #top: number;
  #peak: number;

  constructor(memory: WebAssembly.Memory, base: number) {
    this.#memory = memory;
    this.#base = Math.ceil(base / ALIGNMENT) * ALIGNMENT;
    this.#top = this.#base;
    this.#peak = this.#base;
  }

  /** Bytes in use now, and the most that ever were. */
  get used(): number {
    return this.#top - this.#base;
  }
  get peak(): number {
    return this.#peak - this.#base;
  }

  /**
   * Refuses, before any work is done, what cannot fit.
   * @throws HostError if `bytes` more would pass the 4 GiB address space.
   */
  require(bytes: number, what: string): void {
    if (!this.fits(bytes)) {
      const gib = (x: number) => (x / 2 ** 30).toFixed(2);
      throw new HostError(
        `${what} needs ${gib(bytes)} GiB, but ${gib(ADDRESS_SPACE - this.#top)} GiB of the 4 GiB ` +
          `WebAssembly address space is left; nothing was started. Use fewer rows, features or tasks.`,
      );
    }
  }

  /** Whether `bytes` more, alignment aside, would stay within the address space. */
  fits(bytes: number): boolean {
    return this.#top + bytes <= ADDRESS_SPACE;
  }

  /** A block of `bytes`, contents undefined. */
  bytes(bytes: number, what = "a buffer"): Pointer {
    this.require(bytes + ALIGNMENT, what);
    const at = this.#top;
    this.#top = at + Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    const missing = this.#top - this.#memory.buffer.byteLength;
    if (missing > 0) this.#grow(missing, what);
    this.#peak = Math.max(this.#peak, this.#top);
    return at;
  }

  #grow(missing: number, what: string): void {
    const pages = Math.ceil(missing / PAGE);
    try {
      // Growing is slow, and what is not used of it costs nothing.
      if (pages < PAGES_AT_ONCE && this.fits(PAGES_AT_ONCE * PAGE)) {
        this.#memory.grow(PAGES_AT_ONCE);
      } else this.#memory.grow(pages);
    } catch (cause) {
      throw new HostError(
        `${what}: the host refused ${Math.ceil(missing / 2 ** 20)} MiB more WebAssembly memory. ` +
          `Use fewer rows, features or tasks, or a host with more memory.`,
        { cause },
      );
    }
  }

  /** A block of n float64, contents undefined. */
  f64(n: number, what?: string): Pointer {
    return this.bytes(8 * n, what);
  }

  /** A block holding a copy of `values`. */
  copyOf(values: Float64Array, what?: string): Pointer {
    const at = this.f64(values.length, what);
    this.view(at, values.length).set(values);
    return at;
  }

  /** A block of n zeros. */
  zeros(n: number, what?: string): Pointer {
    const at = this.f64(n, what);
    this.view(at, n).fill(0);
    return at;
  }

  /** View of n float64; valid until the next allocation. */
  view(at: Pointer, n: number): Float64Array {
    return new Float64Array(this.#memory.buffer, at, n);
  }

  /** View of n float32; valid until the next allocation. */
  singles(at: Pointer, n: number): Float32Array {
    return new Float32Array(this.#memory.buffer, at, n);
  }

  /** View of n unsigned 32-bit words; valid until the next allocation. */
  words(at: Pointer, n: number): Uint32Array {
    return new Uint32Array(this.#memory.buffer, at, n);
  }

  /** The current top, for `release`. */
  mark(): Pointer {
    return this.#top;
  }

  /** Gives back everything allocated since `mark`. */
  release(mark: Pointer): void {
    this.#top = mark;
  }

  /** Overwrites n bytes with zeros: keys and noise do not outlive their use. */
  wipe(at: Pointer, bytes: number): void {
    new Uint8Array(this.#memory.buffer, at, bytes).fill(0);
  }

  /** Overwrites all that was ever handed out. */
  wipeAll(): void {
    this.wipe(this.#base, this.peak);
  }
}
