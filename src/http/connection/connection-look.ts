/** Ends connections that stand still. It is looked at all of them together, not by a timer each (docs/decisions/0014). */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What a look keeps in mind of one connection. */
export interface LookedAt {
  readonly socket: Socket
  /** The answer begun last; let go of once it is closed and its request has arrived whole. */
  answer: ServerResponse | undefined
  standing: Standing
  /** Looks that found it as it was before. */
  looks: number
  /** Bytes that the kernel had taken at the last look that found some waiting. */
  sent: number
}

/** `sending`: bytes wait for the peer to take some. `ended`: we have said goodbye, the peer has not. `idle`: between two requests. `busy`: an answer is being made. */
type Standing = 'sending' | 'ended' | 'idle' | 'busy'

/** Looks, one every 5 s, in a row without a change after which a connection is cut: a minute, 10 s, and longer than the 76 s at which node closes one that is really idle (blanks keep that clock from running out).
 *  Looks are counted, not time: a process that was held up itself must not take it for the fault of its peers. */
const most = { sending: 12, ended: 2, idle: 18, busy: Number.POSITIVE_INFINITY } as const satisfies Record<Standing, number>

/** Cuts the connection when it has stood still for as many looks as it may. Its answers hear of it as of any caller that leaves. */
export function lookAt(connection: LookedAt): void {
  const { socket } = connection
  if (connection.answer?.closed && connection.answer.req.complete) connection.answer = undefined
  const standing = standingOf(connection)
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

function standingOf({ socket, answer }: LookedAt): Standing {
  if (socket.writableLength > 0) return 'sending'
  if (socket.writableEnded) return 'ended'
  return answer === undefined || answer.closed ? 'idle' : 'busy'
}

/** Bytes the kernel has taken so far, and nothing else: a large write moves it before it is done, and what is only queued (which `bytesWritten` counts) does not.
 *  Node tells how much is left of a write in no public place; without its count, only whole writes are progress. */
function takenByKernel(socket: Socket): number {
  const { bytesWritten, writeQueueSize } = Object(Object(socket)._handle)
  if (typeof bytesWritten === 'number' && typeof writeQueueSize === 'number') return bytesWritten - writeQueueSize
  return socket.bytesWritten - socket.writableLength
}
