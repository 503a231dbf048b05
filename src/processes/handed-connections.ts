import type { Worker } from 'node:cluster'

interface Handle {
  close(): void
}

/** Closes the connections that a process was given and had not taken yet when it ended. Node keeps
 *  them open for ever, and their callers would wait: the primary closes its copy of a connection
 *  once the process confirms that it has one.
 *
 *  Node passes a connection by the internal message `newconn`, one at a time to each process, and
 *  gives one that is refused to another process. Should a later version do so in another way, this
 *  watch sees nothing. */
export class HandedConnections {
  readonly #handed = new Map<Worker, Handle>()

  watch(worker: Worker): void {
    const { process: child } = worker
    const { send } = child
    const noteAndSend = (...args: unknown[]): boolean => {
      const [message, handle] = args
      if (Object(message).act === 'newconn' && isHandle(handle)) this.#note(worker, handle)
      return Reflect.apply(send, child, args)
    }
    Object.assign(child, { send: noteAndSend })
    worker.once('exit', () => {
      // Closing a closed one does nothing.
      this.#handed.get(worker)?.close()
      this.#handed.delete(worker)
    })
  }

  #note(worker: Worker, handle: Handle): void {
    for (const [other, handed] of this.#handed) if (handed === handle) this.#handed.delete(other)
    this.#handed.set(worker, handle)
  }
}

function isHandle(value: unknown): value is Handle {
  return typeof Object(value).close === 'function'
}
