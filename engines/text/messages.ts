/** Messages between the gateway and a child process for text. */
import type { TextEvent, TextRequest, TextResult } from '@generation-gateway/kit/requests/text.ts'
import type { Sampling } from './sampling.ts'
import type { ModelLimits } from './size.ts'

/** The model file that a child process serves, with its settings; together they identify the
 *  child. */
export interface ModelSettings {
  /** Path of the GGUF file. */
  file: string
  /** Model name used in messages to callers. */
  name: string
  /** Most tokens of one conversation; by default, the training length of the model, but at most
   *  16384. */
  context?: number
  threads: number
  /** Default sampling parameters; they override those in the file. */
  sampling?: Partial<Sampling>
}

export type ToChild =
  | { kind: 'open'; model: ModelSettings }
  /** Creates the model's context before the first request. */
  | { kind: 'warm' }
  | { kind: 'ask'; id: number; account: string | undefined; request: TextRequest }
  | { kind: 'cancel'; id: number }

/** All results of one decoding step, in order; an empty list only shows that the process is
 *  alive. */
export interface FromChild {
  items: Report[]
  counts: ChildCounts
}

export type Report =
  | { kind: 'ready'; limits: ModelLimits }
  /** The model cannot be used at all; `message` gives the reason. */
  | { kind: 'broken'; message: string }
  /** Parsing of the request begins: if the process hangs now, this request is the cause. */
  | { kind: 'reading'; id: number }
  /** The request has been parsed and waits for its turn. */
  | { kind: 'read'; id: number }
  /** Work on the request has begun: from now on it fails if the process dies. */
  | { kind: 'started'; id: number }
  | { kind: 'events'; id: number; events: TextEvent[] }
  | { kind: 'done'; id: number; result: TextResult }
  | { kind: 'failed'; id: number; code: string; message: string; field?: string; stack: string }

export interface ChildCounts {
  /** Number of decoding steps so far, and of the tokens that they produced; a step for two
   *  conversations produces two tokens. */
  steps: number
  tokens: number
  /** Largest number of conversations that shared one step. */
  widest: number
  /** Number of conversations that are being answered, and of those that wait for a place. */
  running: number
  waiting: number
  rssBytes: number
}
