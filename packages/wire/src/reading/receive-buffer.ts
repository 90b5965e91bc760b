const NOTHING = Buffer.alloc(0)

/**
 * Bytes received and not yet consumed, in one piece. A chunk that arrives while nothing waits is used as it is; others are
 * copied into memory that doubles, so that each byte is moved a constant number of times however small the chunks are.
 */
export class ReceiveBuffer {
  #memory: Buffer = NOTHING
  #start = 0
  #end = 0
  #isOwn = false

  get length(): number {
    return this.#end - this.#start
  }

  append(chunk: Buffer): void {
    if (this.length === 0) {
      this.#set(chunk, chunk.length, false)
      return
    }
    const needed = this.length + chunk.length
    if (!this.#isOwn || this.#end + chunk.length > this.#memory.length) {
      const grown = Buffer.allocUnsafeSlow(needed * 2)
      this.#memory.copy(grown, 0, this.#start, this.#end)
      this.#set(grown, this.length, true)
    }
    this.#end += chunk.copy(this.#memory, this.#end)
  }

  /** The bytes that wait: a view, valid until the next `append`. */
  peek(): Buffer {
    return this.#memory.subarray(this.#start, this.#end)
  }

  consume(count: number): void {
    this.#start += count
    if (this.#start >= this.#end) this.clear()
  }

  clear(): void {
    this.#set(NOTHING, 0, false)
  }

  #set(memory: Buffer, end: number, isOwn: boolean): void {
    this.#memory = memory
    this.#start = 0
    this.#end = end
    this.#isOwn = isOwn
  }
}
