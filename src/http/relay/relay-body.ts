/** The body that a relay sends: the caller's bytes, with the model name replaced by the
 *  upstream's name. */
import type { Readable } from 'node:stream'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { RelaySpec } from '../../contract/relay.ts'
import { type Members, readMembers, type Span } from '../body/json-members.ts'
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
  { model, relays: { splice, modelIn, modelWithin } }: { model: string; relays: RelaySpec },
): RelayBody {
  const { open, spans } = raw.members
  const edits: Edit[] = modelWithin === undefined ? [] : modelEdits(raw, modelWithin, model)
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

const modelMember = new Set(['model'])

/** Returns the edits that set the model name inside those members of the body that repeat it. */
function modelEdits(raw: RawBody, { members, name }: NonNullable<RelaySpec['modelWithin']>, model: string): Edit[] {
  const json = 'buffer' in raw ? raw.buffer : raw.spool.residual
  const value = JSON.stringify(name(model))
  return members.flatMap(member => {
    const whole = raw.members.spans.get(member)
    if (whole === undefined) return []
    const inner = readMembers(json.subarray(whole.start, whole.end), modelMember)
    // A member that is null has no opening bracket: it counts as absent.
    return inner.open === 0 ? [] : [modelEdit(inner, value, whole.start)]
  })
}

/** Returns the edit for the object that begins at the offset `at`. */
function modelEdit({ open, spans }: Members, value: string, at: number): Edit {
  const span = spans.get('model')
  if (span) return { start: at + span.start, end: at + span.end, bytes: Buffer.from(value) }
  return { start: at + open, end: at + open, bytes: Buffer.from(`"model":${value},`) }
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
