/** Passes events from another process to one reader. The queue has no limit of its own, because the
 *  token limit of an answer also limits the number of its events. */
export class EventQueue<Event, Result> {
  readonly #events: Event[] = []
  #end: { result: Result } | { error: unknown } | undefined
  #wake: (() => void) | undefined

  push(events: readonly Event[]): void {
    this.#events.push(...events)
    this.#wake?.()
  }

  finish(result: Result): void {
    this.#end ??= { result }
    this.#wake?.()
  }

  fail(error: unknown): void {
    this.#end ??= { error }
    this.#wake?.()
  }

  /** Yields the events in order; returns the result, or throws the failure. May be read once. */
  async *read(): AsyncGenerator<Event, Result> {
    for (;;) {
      yield* this.#events.splice(0)
      if (this.#events.length > 0) continue
      if (this.#end) {
        if ('error' in this.#end) throw this.#end.error
        return this.#end.result
      }
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
      this.#wake = undefined
    }
  }
}
