const INITIAL_BYTES = 4 * 1_024;

/**
 * Collects a body that arrives in parts. Copies the parts, because a sender may make them as small as one byte, and each
 * part has an overhead of about 100 bytes and keeps in memory all that arrived with it.
 */
export class GrowingBuffer {
  #buffer = Buffer.allocUnsafe(INITIAL_BYTES);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(part: Uint8Array): void {
    const length = this.#length + part.length;
    if (length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#buffer.length));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    this.#buffer.set(part, this.#length);
    this.#length = length;
  }

  /** The bytes so far. */
  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}
