/** A minimal parser of HTTP/1.1 for the load generator and the upstream: it takes whole messages
 *  from the bytes of a socket. It trusts the other side, so real servers must not use it. */

export interface Message {
  /** Start line and headers. */
  head: string
  body: Buffer
  /** Bytes that follow the message. */
  rest: Buffer
}

const headEnd = Buffer.from('\r\n\r\n')
const lineEnd = Buffer.from('\r\n')

/** Returns the first complete HTTP message in `bytes`; undefined while none is complete. The body
 *  of the message must have a `content-length` or be chunked. */
export function takeMessage(bytes: Buffer): Message | undefined {
  const at = bytes.indexOf(headEnd)
  if (at < 0) return undefined
  const head = bytes.toString('latin1', 0, at)
  const from = at + headEnd.length
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return takeChunked(bytes, head, from)
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
  if (bytes.length < from + length) return undefined
  return { head, body: bytes.subarray(from, from + length), rest: bytes.subarray(from + length) }
}

function takeChunked(bytes: Buffer, head: string, from: number): Message | undefined {
  const pieces: Buffer[] = []
  for (let at = from; ; ) {
    const end = bytes.indexOf(lineEnd, at)
    if (end < 0) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16)
    const next = end + lineEnd.length + size + lineEnd.length
    if (bytes.length < next) return undefined
    if (size === 0) return { head, body: Buffer.concat(pieces), rest: bytes.subarray(next) }
    pieces.push(bytes.subarray(end + lineEnd.length, next - lineEnd.length))
    at = next
  }
}
