/** Corrects two faults in the way in which `node:cluster` passes connections to processes.
 *
 *  - Uneven shares. Each process confirms a connection, and Node.js gives the next connection to
 *    the process that confirms first. When many connections arrive at once, a process that the
 *    system schedules a little later gets few of them: of 64 kept connections, one of two
 *    processes got up to 76 %. With this correction, no process gets more than `mostLead`
 *    connections more than another one that takes its connections within `patienceMs`.
 *  - Lost connections. The primary process closes its own copy of a connection only when the
 *    connection was confirmed. When a process ends before it confirms one, the copy would stay
 *    open for ever, and the caller would wait.
 *
 *  Node.js passes a connection with the internal message `newconn`, one at a time to each
 *  process. If a later version of Node.js does this in another way, nothing is corrected and
 *  nothing breaks. */
const mostLead = 2
/** Time in ms that the other processes wait for one that takes no connection. After this time they
 *  no longer wait for it. */
const patienceMs = 500

/** The members of `Worker` in `node:cluster` that this file uses. */
export interface WatchedWorker {
  /** The child process; its method `send` is replaced. */
  readonly process: object
  once(event: 'exit', listener: () => void): unknown
}

interface Handle {
  close(): void
}

interface Turn {
  /** Number of connections that the process got. */
  given: number
  /** True while the other processes do not wait for this one: it has taken no connection for too
   *  long, or it has not got its first connection yet and is perhaps not listening. */
  isSlow: boolean
  /** The connection that the process got last. */
  handle?: Handle
  /** Sends the process the connection that is being held back for it; absent when there is none. */
  release?: () => void
}

export class ConnectionTurns {
  readonly #turns = new Map<WatchedWorker, Turn>()

  /** Controls the connections to a process until the process ends. */
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
      // If the connection was already closed, `close` does nothing.
      turn.handle?.close()
      delete turn.release
      this.#releaseAll()
    })
  }

  #give(turn: Turn, handle: Handle, send: () => void): void {
    // Node.js passes a connection to another process when the first one has refused it. The first
    // process then no longer has it.
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

  /** Passes on the connections that were held back. A process gets its connection as soon as no
   *  other process is too far behind in the number of connections. */
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

  /** Returns the processes that have got so few connections that this process must wait until
   *  they have got more. */
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
