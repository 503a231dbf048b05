/** The listeners of signals within one process. */
export class Listeners<Signal> {
  readonly #listeners = new Set<(signal: Signal) => void>()

  readonly publish = (...signals: readonly Signal[]): void => {
    for (const signal of signals) for (const listener of this.#listeners) listener(signal)
  }

  /** Adds a listener, which must not throw. Returns a function that removes it. */
  readonly subscribe = (listener: (signal: Signal) => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  clear(): void {
    this.#listeners.clear()
  }
}
