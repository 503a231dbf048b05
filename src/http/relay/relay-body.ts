/** The body a relay sends: the caller's own bytes with the upstream's model name in place of the caller's. */
import type { Readable } from 'node:stream'
import type { TextProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'
import type { Span } from '../body/json-members.ts'
import { type BodyPiece, type RawBody, streamPieces } from '../body/raw-spool.ts'

export interface RelayBody {
  /** Made anew for each try. */
  open(): Buffer | { stream: Readable; bytes: number }
  /** The caller did not ask for the usage that the stream will carry: it is taken out again. */
  stripsUsage: boolean
}

interface Edit extends Span {
  bytes: Buffer
}

/** `parsed` is the body as it was parsed. */
export function relayBody(
  raw: RawBody,
  parsed: Record<string, unknown>,
  { model, protocol }: { model: string; protocol: TextProtocol },
): RelayBody {
  const { open, spans } = raw.members
  const edits: Edit[] = []
  let inserted = ''
  const modelSpan = spans.get('model')
  if (modelSpan) edits.push({ ...modelSpan, bytes: Buffer.from(JSON.stringify(model)) })
  else inserted = `"model":${JSON.stringify(model)},`
  const stripsUsage = protocol === 'chat' && parsed.stream === true && Object(parsed.stream_options).include_usage !== true
  if (stripsUsage) {
    const options = `${JSON.stringify({ ...Object(parsed.stream_options), include_usage: true })}`
    const span = spans.get('stream_options')
    if (span) edits.push({ ...span, bytes: Buffer.from(options) })
    else inserted += `"stream_options":${options},`
  }
  if (inserted !== '') edits.push({ start: open, end: open, bytes: Buffer.from(inserted) })
  edits.sort((a, b) => a.start - b.start)
  return { open: opener(raw, edits), stripsUsage }
}

function opener(raw: RawBody, edits: readonly Edit[]): RelayBody['open'] {
  if ('buffer' in raw) {
    const whole = Buffer.concat(piecesOf(edits, raw.buffer.length, (start, end) => raw.buffer.subarray(start, end)))
    return () => whole
  }
  const { file, bytes, bodyOffset } = raw.spool
  const pieces = piecesOf<BodyPiece>(
    edits.map(edit => ({ ...edit, start: bodyOffset(edit.start), end: bodyOffset(edit.end) })),
    bytes,
    (start, end) => ({ start, end }),
  )
  const length = pieces.reduce((sum, piece) => sum + (Buffer.isBuffer(piece) ? piece.length : piece.end - piece.start), 0)
  return () => ({ stream: streamPieces(file, pieces), bytes: length })
}

function piecesOf<Piece>(edits: readonly Edit[], length: number, slice: (start: number, end: number) => Piece): (Piece | Buffer)[] {
  const pieces: (Piece | Buffer)[] = []
  let at = 0
  for (const { start, end, bytes } of edits) {
    pieces.push(slice(at, start), bytes)
    at = end
  }
  pieces.push(slice(at, length))
  return pieces
}
