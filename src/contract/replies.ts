/** What a handler may give in the place of a JSON body. */
import type { Artifact } from '../core/task.ts'

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
