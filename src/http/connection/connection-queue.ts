/** Queues new connections from an address that has too many connections without a valid key. The
 *  server accepts many connections before it reads the first request, so a burst from one
 *  address may exceed the limit although all its clients have keys. Each connection that shows a
 *  valid key no longer counts and makes room for a queued one. A queued connection is refused
 *  only when no room was made in time. */
import type { Socket } from 'node:net'

export interface ConnectionQueue {
  size(): number
  add(address: string, socket: Socket): void
  /** Removes and returns the connection that has waited longest of those from this address;
   *  undefined when none waits. */
  take(address: string): Socket | undefined
  /** Removes and returns the connections that have waited through `most` calls of this function,
   *  this one included. The wait is measured in calls, not in time, because a process that was
   *  busy could not have served them earlier. */
  overdue(most?: number): Socket[]
}

interface WaitingConnection {
  socket: Socket
  seen: number
}

/** Calls after which a waiting connection is refused: 5 s at one call every 250 ms. */
const mostCalls = 20
const ignore = (): void => {}

export function createConnectionQueue(): ConnectionQueue {
  const queues = new Map<string, WaitingConnection[]>()
  let size = 0
  const takeFrom = (address: string, queue: WaitingConnection[]): Socket | undefined => {
    const socket = queue.shift()?.socket
    if (queue.length === 0) queues.delete(address)
    if (socket === undefined) return undefined
    size -= 1
    return socket.off('error', ignore)
  }

  return {
    size: () => size,
    add: (address, socket) => {
      const waiting = { socket: socket.on('error', ignore), seen: 0 }
      const queue = queues.get(address)
      if (queue) queue.push(waiting)
      else queues.set(address, [waiting])
      size += 1
    },
    take: address => {
      const queue = queues.get(address)
      while (queue?.length) {
        const socket = takeFrom(address, queue)
        if (socket && !socket.destroyed) return socket
      }
      return undefined
    },
    overdue: (most = mostCalls) => {
      const found: Socket[] = []
      for (const [address, queue] of queues) {
        for (const waiting of queue) waiting.seen += 1
        while (queue[0] && queue[0].seen >= most) {
          const socket = takeFrom(address, queue)
          if (socket && !socket.destroyed) found.push(socket)
        }
      }
      return found
    },
  }
}
