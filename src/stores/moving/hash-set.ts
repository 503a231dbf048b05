const emptySlots = 2 ** 12

/** A set of SHA-256 values that takes at most 32 bytes for each value, once it has some
 *  thousands. A `Set` of texts takes 100 bytes for each value and holds at most 16.7 million. */
export class HashSet {
  /** The slots of a hash table with open addressing; 0 is an empty slot. */
  #slots = new BigUint64Array(emptySlots)
  #size = 0

  /** Adds a SHA-256 (hex); returns false when the set already has it. Only the first 64 bits are
   *  compared: among 100 million values, two count as equal by mistake with a probability of
   *  0.0003. */
  add(sha256: string): boolean {
    if (this.#size * 2 >= this.#slots.length) this.#grow()
    const isNew = put(this.#slots, BigInt(`0x${sha256.slice(0, 16)}`) || 1n)
    if (isNew) this.#size += 1
    return isNew
  }

  #grow(): void {
    const slots = new BigUint64Array(this.#slots.length * 2)
    for (const value of this.#slots) if (value !== 0n) put(slots, value)
    this.#slots = slots
  }
}

function put(slots: BigUint64Array, value: bigint): boolean {
  // The search begins at the slot that the last bits of the value name. The values are hashes, so
  // these bits are distributed evenly.
  for (let at = Number(value & BigInt(slots.length - 1)); ; at = (at + 1) % slots.length) {
    if (slots[at] === value) return false
    if (slots[at] !== 0n) continue
    slots[at] = value
    return true
  }
}
