/** Replies that a handler may return in place of a JSON body. */
import { randomUUID } from 'node:crypto'
import Type from 'typebox'
import type { Artifact } from '../core/records/task.ts'

/** One server-sent event of a reply. An object is sent as JSON, a string unchanged (`[DONE]`). */
export interface ReplyFrame {
  event?: string
  data: object | string
}

/** A reply that is sent as events. Nothing is sent before the first event, so an earlier error
 *  becomes an ordinary HTTP error. The exception is a stream without an event for many seconds:
 *  it opens with a comment, and an error is then sent as an event. */
export class StreamedReply {
  readonly frames: AsyncIterable<ReplyFrame>

  constructor(frames: AsyncIterable<ReplyFrame>) {
    this.frames = frames
  }
}

/** Bytes that are sent while they are produced. Nothing is sent before the first byte, so an
 *  earlier error becomes an ordinary HTTP error; a later one cuts the connection. */
export class BytesReply {
  readonly mediaType: string
  readonly chunks: AsyncIterable<Uint8Array>

  constructor(mediaType: string, chunks: AsyncIterable<Uint8Array>) {
    this.mediaType = mediaType
    this.chunks = chunks
  }
}

/** A stored file, whole or the requested range (`Range`). */
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

/** A redirect to another URL, with status 302. */
export class RedirectReply {
  readonly url: string

  constructor(url: string) {
    this.url = url
  }
}

export type OtherReply = StreamedReply | BytesReply | FileReply | TextReply | RedirectReply

/** Stands for the base64 of a stored file in a JSON answer or in the data of an event. In an
 *  answer, the file is encoded and sent while it is being read. A field with this value has the
 *  schema `base64Field`. */
export class Base64Of {
  readonly artifact: Artifact

  constructor(artifact: Artifact) {
    this.artifact = artifact
  }

  toJSON(): string {
    return markOf(this)
  }
}

/** Returns the schema of a reply's field that carries a file in base64. */
export function base64Field(description: string) {
  return Type.Unsafe<Base64Of>({ type: 'string', description })
}

/** JSON text with gaps for the base64 of files: file number i belongs between the texts number i
 *  and i + 1. */
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

/** Returns the JSON of a value, cut at each `Base64Of`. */
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
