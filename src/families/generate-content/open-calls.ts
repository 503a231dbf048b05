/** A call of a conversation. Calls without a response are found in constant time, because a hostile
 *  client may send very many calls. */
interface OpenCall {
  id: string
  hasResponse: boolean
}

/** Calls, oldest first. The calls before `next` have responses. */
interface Queue {
  calls: OpenCall[]
  next: number
}

/** Finds the calls to which responses belong. */
export class OpenCalls {
  readonly #byId = new Map<string, Queue>()
  readonly #byName = new Map<string, Queue>()

  add(id: string, name: string): void {
    const call = { id, hasResponse: false }
    addTo(this.#byId, id, call)
    addTo(this.#byName, name, call)
  }

  /** Removes the oldest open call with this id, if there is one. */
  takeById(id: string): void {
    takeFrom(this.#byId.get(id))
  }

  /** Removes the oldest open call of this function, and returns the id of the call; undefined when
   *  there is none. */
  takeByName(name: string): string | undefined {
    return takeFrom(this.#byName.get(name))
  }
}

function addTo(queues: Map<string, Queue>, key: string, call: OpenCall): void {
  const queue = queues.get(key)
  if (queue) queue.calls.push(call)
  else queues.set(key, { calls: [call], next: 0 })
}

function takeFrom(queue: Queue | undefined): string | undefined {
  while (queue) {
    const call = queue.calls[queue.next]
    if (call === undefined) return undefined
    queue.next += 1
    if (call.hasResponse) continue
    call.hasResponse = true
    return call.id
  }
  return undefined
}
