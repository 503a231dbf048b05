/** A minimal HTTP/1.1 parser for both ends of a measurement: extracts whole messages from a
 *  socket's bytes. No server may use it, because it trusts the other end. */

export interface Message {
  /** Start line and headers. */
  head: string
  body: Buffer
  /** Bytes after the message. */
  rest: Buffer
}

const headEnd = Buffer.from('\r\n\r\n')
const lineEnd = Buffer.from('\r\n')

/** Returns the first whole message in `bytes`, with `content-length` or chunked; undefined while it
 *  is incomplete. */
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
