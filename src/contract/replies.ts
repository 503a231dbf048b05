/** What a handler may give in the place of a JSON body. */
import { randomUUID } from 'node:crypto'
import Type from 'typebox'
import type { Artifact } from '../core/records/task.ts'

/** One server-sent event of a reply: an object goes out as JSON, a string as it is (`[DONE]`). */
export interface ReplyFrame {
  event?: string
  data: object | string
}

/** A reply that goes out event by event. Nothing has been sent before the first frame: an error until then is an ordinary HTTP answer. */
export class StreamedReply {
  readonly frames: AsyncIterable<ReplyFrame>

  constructor(frames: AsyncIterable<ReplyFrame>) {
    this.frames = frames
  }
}

/** Bytes that go out as they are made. Nothing has been sent before the first of them: an error until then is an ordinary HTTP answer; after it the connection is cut. */
export class BytesReply {
  readonly mediaType: string
  readonly chunks: AsyncIterable<Uint8Array>

  constructor(mediaType: string, chunks: AsyncIterable<Uint8Array>) {
    this.mediaType = mediaType
    this.chunks = chunks
  }
}

/** A stored file, whole or the part that was asked for (`Range`). */
export class FileReply {
  readonly artifact: Artifact

  constructor(artifact: Artifact) {
    this.artifact = artifact
  }
}

export class TextReply {
  readonly mediaType: string
  readonly text: string

  constructor(mediaType: string, text: string) {
    this.mediaType = mediaType
    this.text = text
  }
}

/** Says where it is: 302. */
export class RedirectReply {
  readonly url: string

  constructor(url: string) {
    this.url = url
  }
}

export type OtherReply = StreamedReply | BytesReply | FileReply | TextReply | RedirectReply

/** Stands in a JSON answer, or in the data of an event, for the base64 of a stored file, which goes out as it is read. Its field is declared as `base64Field`. */
export class Base64Of {
  readonly artifact: Artifact

  constructor(artifact: Artifact) {
    this.artifact = artifact
  }

  toJSON(): string {
    return markOf(this)
  }
}

/** A reply's field that carries a file in base64. */
export function base64Field(description: string) {
  return Type.Unsafe<Base64Of>({ type: 'string', description })
}

/** JSON text with gaps for the base64 of files: `texts` has one more than `files`. */
export interface GappedJson {
  texts: string[]
  files: Artifact[]
}

const secret = randomUUID()
const mark = new RegExp(`@${secret}@`, 'g')
let marked: Artifact[] | undefined

function markOf({ artifact }: Base64Of): string {
  if (!marked) throw new TypeError('a file stands in JSON only where gappedJson writes it')
  marked.push(artifact)
  return `@${secret}@`
}

/** The JSON of a value, cut where a `Base64Of` stands. */
export function gappedJson(value: unknown): GappedJson {
  const files: Artifact[] = []
  marked = files
  try {
    const text = JSON.stringify(value)
    return { texts: files.length === 0 ? [text] : text.split(mark), files }
  } finally {
    marked = undefined
  }
}
