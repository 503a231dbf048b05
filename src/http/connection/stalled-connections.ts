/** Ends stalled connections. One timer checks all of them together (docs/decisions/0014). */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A connection and the results of its last check. */
export interface WatchedConnection {
  readonly socket: Socket
  /** The latest answer; undefined once the answer was sent and its request has arrived
   *  completely. */
  answer: ServerResponse | undefined
  standing: ConnectionState
  /** Number of consecutive checks at which the connection had not changed. */
  looks: number
  /** Number of bytes that the kernel had accepted at the last check; 0 when that check found no
   *  unsent bytes. */
  sent: number
}

/** `sending`: bytes wait until the client accepts them. `ended`: our side is closed, the
 *  client's is not. `idle`: between two requests. `busy`: an answer is being created. */
type ConnectionState = 'sending' | 'ended' | 'idle' | 'busy'

/** Number of checks without a change, one every 5 s, after which a connection is cut: 12 for
 *  `sending` (a minute), 2 for `ended` (10 s), 18 for `idle` (90 s). The limit for `idle` is
 *  longer than the 76 s after which node itself closes an idle connection; white space from the
 *  client resets node's timer. Checks are counted instead of time, so that a stall of this
 *  process does not count against its clients. */
const most = { sending: 12, ended: 2, idle: 18, busy: Number.POSITIVE_INFINITY } as const satisfies Record<ConnectionState, number>

/** Cuts a connection that has been unchanged for the allowed number of checks. The code that
 *  writes an answer then sees the same as when the caller disconnects. */
export function checkConnection(connection: WatchedConnection): void {
  const { socket } = connection
  if (connection.answer?.closed && connection.answer.req.complete) connection.answer = undefined
  const standing = connectionState(connection)
  const sent = standing === 'sending' ? takenByKernel(socket) : 0
  if (standing !== connection.standing || sent !== connection.sent) {
    connection.standing = standing
    connection.sent = sent
    connection.looks = 0
    return
  }
  connection.looks += 1
  if (connection.looks >= most[standing]) socket.destroy()
}

function connectionState({ socket, answer }: WatchedConnection): ConnectionState {
  if (socket.writableLength > 0) return 'sending'
  if (socket.writableEnded) return 'ended'
  return answer === undefined || answer.closed ? 'idle' : 'busy'
}

/** Returns the number of bytes that the kernel has accepted so far. The number grows during a
 *  large write. It excludes bytes that node has only queued, which `bytesWritten` includes. Node
 *  shows the unsent rest of a write only in a private field; without that field, only complete
 *  writes count as progress. */
function takenByKernel(socket: Socket): number {
  const { bytesWritten, writeQueueSize } = Object(Object(socket)._handle)
  if (typeof bytesWritten === 'number' && typeof writeQueueSize === 'number') return bytesWritten - writeQueueSize
  return socket.bytesWritten - socket.writableLength
}
