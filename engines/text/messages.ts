/** What the gateway and a text child say to each other. */
import type { TextEvent, TextRequest, TextResult } from '@generation-gateway/kit/requests/text.ts'
import type { Sampling } from './sampling.ts'
import type { ModelLimits } from './size.ts'

/** Which file a child serves and how; children are told apart by this. */
export interface ModelSettings {
  /** Path of the GGUF file. */
  file: string
  /** Name in messages to callers. */
  name: string
  /** Tokens of one conversation; absent: what the model was trained for, at most 16384. */
  context?: number
  threads: number
  /** What callers leave open and the file does not say, or says otherwise. */
  sampling?: Partial<Sampling>
}

export type ToChild =
  | { kind: 'open'; model: ModelSettings }
  /** Get ready for a first request. */
  | { kind: 'warm' }
  | { kind: 'ask'; id: number; account: string | undefined; request: TextRequest }
  | { kind: 'cancel'; id: number }

/** All that one decoding step brought, in order; also sent without items, as a sign of life. */
export interface FromChild {
  items: Report[]
  counts: ChildCounts
}

export type Report =
  | { kind: 'ready'; limits: ModelLimits }
  /** The model cannot be used at all. */
  | { kind: 'broken'; message: string }
  /** The request is being read: it is what a child that falls silent is busy with. */
  | { kind: 'reading'; id: number }
  /** It was read and waits for its turn. */
  | { kind: 'read'; id: number }
  /** From here on the request dies with the child. */
  | { kind: 'started'; id: number }
  | { kind: 'events'; id: number; events: TextEvent[] }
  | { kind: 'done'; id: number; result: TextResult }
  | { kind: 'failed'; id: number; code: string; message: string; field?: string; stack: string }

export interface ChildCounts {
  /** Steps of the model so far, and tokens they gave; with two conversations at once a step gives two. */
  steps: number
  tokens: number
  /** Most conversations one step served. */
  widest: number
  /** Conversations being answered, and waiting for a place. */
  running: number
  waiting: number
  rssBytes: number
}
