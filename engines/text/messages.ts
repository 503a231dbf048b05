/** Messages between the gateway and a text child. */
import type { TextEvent, TextRequest, TextResult } from '@generation-gateway/kit/requests/text.ts'
import type { Sampling } from './sampling.ts'
import type { ModelLimits } from './size.ts'

/** The file that a child serves, and its settings; they identify the child. */
export interface ModelSettings {
  /** Path of the GGUF file. */
  file: string
  /** Name of the model in messages to callers. */
  name: string
  /** Tokens of one conversation; when absent the training length of the model, at most 16384. */
  context?: number
  threads: number
  /** Sampling defaults for callers; they override those of the file. */
  sampling?: Partial<Sampling>
}

export type ToChild =
  | { kind: 'open'; model: ModelSettings }
  /** Prepares for a first request. */
  | { kind: 'warm' }
  | { kind: 'ask'; id: number; account: string | undefined; request: TextRequest }
  | { kind: 'cancel'; id: number }

/** All results of one decoding step, in order; an empty list is a sign of life. */
export interface FromChild {
  items: Report[]
  counts: ChildCounts
}

export type Report =
  | { kind: 'ready'; limits: ModelLimits }
  /** The model cannot be used at all, for the reason in `message`. */
  | { kind: 'broken'; message: string }
  /** The request is being read: if the child falls silent, this request is the reason. */
  | { kind: 'reading'; id: number }
  /** The request was read and waits for its turn. */
  | { kind: 'read'; id: number }
  /** From now on the request fails if the child dies. */
  | { kind: 'started'; id: number }
  | { kind: 'events'; id: number; events: TextEvent[] }
  | { kind: 'done'; id: number; result: TextResult }
  | { kind: 'failed'; id: number; code: string; message: string; field?: string; stack: string }

export interface ChildCounts {
  /** Number of steps so far, and of the tokens they produced; a step for two conversations produces
   *  two. */
  steps: number
  tokens: number
  /** Largest number of conversations in one step. */
  widest: number
  /** Number of conversations being answered, and of those waiting for a place. */
  running: number
  waiting: number
  rssBytes: number
}
