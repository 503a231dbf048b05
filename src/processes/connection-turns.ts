/** Mends two faults of how `node:cluster` hands connections to processes.
 *
 *  - It gives the next connection to whichever process has confirmed its last one. When many
 *    arrive at once, a process that the system runs a little later gets few of them: of 64 kept
 *    connections one of two processes had up to 76 %. Here none gets more than `mostLead` more
 *    than another.
 *  - A connection that a process had not confirmed when it ended stays open for ever, and its
 *    caller waits: the primary closes its copy only after the confirmation.
 *
 *  Node passes a connection by the internal message `newconn`, to each process one at a time.
 *  Should a later version do it in another way, nothing is mended and nothing else changes. */
const mostLead = 2
/** A process that takes nothing for this long is not waited for until it does. */
const patienceMs = 500

/** What this needs of a `Worker` of `node:cluster`. */
export interface WatchedWorker {
  /** With the method `send`. */
  readonly process: object
  once(event: 'exit', listener: () => void): unknown
}

interface Handle {
  close(): void
}

interface Turn {
  /** Connections given so far. */
  given: number
  /** True also until it gets the first one: it may not listen yet. */
  isSlow: boolean
  /** The connection that it got last. */
  handle?: Handle
  /** Gives it the connection that is held back for it. */
  release?: () => void
}

export class ConnectionTurns {
  readonly #turns = new Map<WatchedWorker, Turn>()

  /** Watches the connections of a process, until it ends. */
  watch(worker: WatchedWorker): void {
    const { process: child } = worker
    const send: (...args: unknown[]) => boolean = Reflect.get(child, 'send')
    const turn: Turn = { given: 0, isSlow: true }
    this.#turns.set(worker, turn)
    const sendInTurn = (...args: unknown[]): boolean => {
      const [message, handle] = args
      if (Object(message).act !== 'newconn' || !isHandle(handle)) return Reflect.apply(send, child, args)
      this.#give(turn, handle, () => Reflect.apply(send, child, args))
      return true
    }
    Object.assign(child, { send: sendInTurn })
    worker.once('exit', () => {
      this.#turns.delete(worker)
      // Closing a closed one does nothing.
      turn.handle?.close()
      delete turn.release
      this.#releaseAll()
    })
  }

  #give(turn: Turn, handle: Handle, send: () => void): void {
    // A process may refuse a connection, which then goes to another one.
    for (const other of this.#turns.values()) if (other.handle === handle) delete other.handle
    turn.handle = handle
    if (turn.isSlow) Object.assign(turn, { isSlow: false, given: Math.max(turn.given, this.#most() - mostLead) })
    turn.release = () => {
      clearTimeout(timer)
      delete turn.release
      turn.given += 1
      send()
    }
    const timer = setTimeout(() => this.#goOnWithout(turn), patienceMs)
    this.#releaseAll()
  }

  /** Gives each process the connection held back for it, once the others have had enough. */
  #releaseAll(): void {
    for (const turn of this.#turns.values()) {
      if (turn.release === undefined || this.#laggards(turn).length > 0) continue
      turn.release()
      this.#releaseAll()
      return
    }
  }

  #goOnWithout(turn: Turn): void {
    if (turn.release === undefined) return
    for (const other of this.#laggards(turn)) other.isSlow = true
    this.#releaseAll()
  }

  /** Processes that have to get connections before this one gets another. */
  #laggards({ given }: Turn): Turn[] {
    return [...this.#turns.values()].filter(other => !other.isSlow && other.given + mostLead <= given)
  }

  #most(): number {
    return Math.max(0, ...[...this.#turns.values()].map(turn => turn.given))
  }
}

function isHandle(value: unknown): value is Handle {
  return typeof Object(value).close === 'function'
}
