/** A series of parts that several readers read, each at its own pace. A part is released when all
 *  readers have read it. */
interface SharedSeries<Part> {
  add(part: Part): void
  end(): void
  /** Ends the series with an error, which readers throw after the last part. */
  fail(error: unknown): void
  /** Returns reader `number`, counted from 0. Each reader can be requested once. */
  reader(number: number): AsyncGenerator<Part>
}

export function createSharedSeries<Part>(readers: number): SharedSeries<Part> {
  const queues: Part[][] = Array.from({ length: readers }, () => [])
  let end: { error?: unknown } | undefined
  let wakeAll: (() => void)[] = []
  const wake = () => {
    for (const each of wakeAll.splice(0)) each()
  }
  return {
    add(part) {
      for (const queue of queues) queue.push(part)
      wake()
    },
    end() {
      end ??= {}
      wake()
    },
    fail(error) {
      end ??= { error }
      wake()
    },
    async *reader(number) {
      const queue = queues[number] ?? []
      for (;;) {
        const part = queue.shift()
        if (part !== undefined) yield part
        else if (end) {
          if ('error' in end) throw end.error
          return
        } else
          await new Promise<void>(resolve => {
            wakeAll = [...wakeAll, resolve]
          })
      }
    },
  }
}
