/** Messages between the gateway and a child process for text. */
import type { TextEvent, TextRequest, TextResult } from '@generation-gateway/kit/requests/text.ts'
import type { Sampling } from './sampling.ts'
import type { ModelLimits } from './size.ts'

/** The model file that a child process serves, with its settings. File and settings together
 *  identify the process. */
export interface ModelSettings {
  /** Path of the GGUF file. */
  file: string
  /** Model name used in messages to callers. */
  name: string
  /** Largest number of tokens of one conversation. By default, this is the length on which the
   *  model was trained, but at most 16384. */
  context?: number
  threads: number
  /** Default sampling parameters; they have priority over those in the model file. */
  sampling?: Partial<Sampling>
}

export type ToChild =
  | { kind: 'open'; model: ModelSettings }
  /** Creates the context of the model before the first request arrives. */
  | { kind: 'warm' }
  /** With `countsOnly`, the model writes nothing, and the report `done` has the number of input
   *  tokens of the conversation. */
  | { kind: 'ask'; id: number; account: string | undefined; request: TextRequest; countsOnly?: boolean }
  | { kind: 'cancel'; id: number }

/** The reports of one decoding step, in order. An empty list only shows that the process is
 *  alive. */
export interface FromChild {
  items: Report[]
  counts: ChildCounts
}

export type Report =
  | { kind: 'ready'; limits: ModelLimits }
  /** The model cannot be used at all; `message` gives the reason. */
  | { kind: 'broken'; message: string }
  /** The process begins to parse the request. If it hangs now, this request is the cause. */
  | { kind: 'reading'; id: number }
  /** The request has been parsed and waits for its turn. */
  | { kind: 'read'; id: number }
  /** The model has begun to work on the request. If the process dies after this, the request fails
   *  and is not sent to another process. */
  | { kind: 'started'; id: number }
  | { kind: 'events'; id: number; events: TextEvent[] }
  | { kind: 'done'; id: number; result: TextResult }
  | { kind: 'failed'; id: number; code: string; message: string; field?: string; stack: string }

export interface ChildCounts {
  /** Number of decoding steps so far, and of the tokens that they produced. One step for two
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
