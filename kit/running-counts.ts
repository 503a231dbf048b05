/** Counts what is in progress now under each key, such as the runs of each account. A key whose
 *  count is 0 takes no memory. */
export class RunningCounts {
  readonly #counts = new Map<string, number>()

  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  add(key: string): void {
    this.#counts.set(key, this.of(key) + 1)
  }

  /** Lowers the count of the key by one. Does nothing when it is 0. */
  remove(key: string): void {
    const left = this.of(key) - 1
    if (left > 0) this.#counts.set(key, left)
    else this.#counts.delete(key)
  }

  /** Raises the count of the key by one until the returned object is disposed of. */
  enter(key: string): Disposable {
    this.add(key)
    return { [Symbol.dispose]: () => this.remove(key) }
  }
}
