/** Sends HTTP as bytes over a socket, for requests that no HTTP client would send. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  status: number
  /** Headers by their names in lower case; for a repeated header, the last value. */
  headers: Map<string, string>
  body: string
}

const waitMs = 30_000

/** Sends the bytes unchanged. Resolves with the first answer, or with undefined when the server
 *  ends the connection without an answer. After `endAfterMs` without an answer the client
 *  half-closes the connection. Throws after 30 s. */
export function sendRaw(origin: string, bytes: Buffer | string, { endAfterMs = waitMs } = {}): Promise<RawAnswer | undefined> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let received = ''
    const finish = (answer: RawAnswer | undefined) => {
      clearTimeout(end)
      clearTimeout(limit)
      socket.destroy()
      resolve(answer)
    }
    const end = setTimeout(() => socket.end(), endAfterMs)
    const limit = setTimeout(() => {
      socket.destroy()
      reject(new Error(`no answer within ${waitMs / 1000} s to ${JSON.stringify(bytes.toString('latin1').slice(0, 500))}`))
    }, waitMs)
    socket.setEncoding('latin1').on('data', chunk => {
      received += chunk
      const answer = parse(received)
      if (answer) finish(answer)
    })
    // A reset is expected after an answer, and while bytes are still being sent; it is ignored.
    socket.on('error', () => {})
    socket.on('close', () => finish(parse(received)))
    socket.write(bytes)
  })
}

/** Returns the parsed answer; undefined while it is incomplete. */
function parse(received: string): RawAnswer | undefined {
  const headEnds = received.indexOf('\r\n\r\n')
  if (headEnds < 0) return undefined
  const [statusLine = '', ...lines] = received.slice(0, headEnds).split('\r\n')
  const headers = new Map(lines.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]))
  const body = received.slice(headEnds + 4)
  if (body.length < Number(headers.get('content-length') ?? 0)) return undefined
  return { status: Number(statusLine.split(' ')[1]), headers, body: Buffer.from(body, 'latin1').toString() }
}

export interface RawConnection {
  socket: Socket
  /** Returns the bytes received so far, as Latin-1. */
  received(): string
  /** Resolves with all received bytes once the server has ended the connection. */
  ended: Promise<string>
}

/** Opens a connection to which the test writes bytes. With `reads: false`, the connection never
 *  reads what the server sends. The caller destroys it. */
export async function openRaw(origin: string, { reads = true } = {}): Promise<RawConnection> {
  const { hostname, port } = new URL(origin)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  let text = ''
  const { promise: ended, resolve } = Promise.withResolvers<string>()
  socket.on('error', () => {})
  socket.on('end', () => resolve(text))
  socket.on('close', () => resolve(text))
  if (reads) socket.setEncoding('latin1').on('data', chunk => (text += chunk))
  await once(socket, 'connect')
  return { socket, received: () => text, ended }
}
