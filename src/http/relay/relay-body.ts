/** The body that a relay sends: the caller's bytes, with the model name replaced by the
 *  upstream's name. */
import type { Readable } from 'node:stream'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { RelaySpec } from '../../contract/relay.ts'
import type { Span } from '../body/json-members.ts'
import { type BodyPiece, type RawBody, streamPieces } from '../body/raw-spool.ts'

export interface RelayBody {
  /** Returns the body for one attempt at a target; each attempt gets a new stream. */
  open(): Buffer | { stream: Readable; bytes: number }
  /** True when the relay requested more events from the upstream than the caller did (such as
   *  the event with token counts). These events are removed before the stream reaches the
   *  caller. */
  isSpliced: boolean
}

interface Edit extends Span {
  bytes: Buffer
}

/** Returns the body that a relay sends, derived from the caller's body `raw`; `parsed` is the
 *  parsed value of that body. */
export function relayBody(
  raw: RawBody,
  parsed: JsonObject,
  { model, relays: { splice, modelIn } }: { model: string; relays: RelaySpec },
): RelayBody {
  const { open, spans } = raw.members
  const edits: Edit[] = []
  let inserted = ''
  const modelSpan = spans.get('model')
  if (modelIn === 'path') inserted = ''
  else if (modelSpan) edits.push({ ...modelSpan, bytes: Buffer.from(JSON.stringify(model)) })
  else inserted = `"model":${JSON.stringify(model)},`
  const value = splice?.value(parsed)
  const isSpliced = splice !== undefined && value !== undefined
  if (isSpliced) {
    const json = JSON.stringify(value)
    const span = spans.get(splice.member)
    if (span) edits.push({ ...span, bytes: Buffer.from(json) })
    else inserted += `"${splice.member}":${json},`
  }
  if (inserted !== '') edits.push({ start: open, end: open, bytes: Buffer.from(inserted) })
  edits.sort((a, b) => a.start - b.start)
  return { open: opener(raw, edits), isSpliced }
}

/** Returns the caller's body unchanged, for operations on stored answers, whose bodies name no
 *  model. */
export function unchangedBody(raw: RawBody): RelayBody {
  return { open: opener(raw, []), isSpliced: false }
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
