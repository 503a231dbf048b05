/** Wire shapes of items and parts (vendors-text-audio 3.8.3 and 3.8.5). Type aliases, since stored responses keep them as JSON. */
import type { TextRole } from '../../core/requests/text.ts'
import type { Json } from '../../core/task.ts'

export type WireLogprob = {
  token: string
  logprob: number
  bytes: number[]
  top_logprobs: { token: string; logprob: number; bytes: number[] }[]
}

export type OutputTextPart = { type: 'output_text'; text: string; annotations: Json[]; logprobs: WireLogprob[] }
export type RefusalPart = { type: 'refusal'; refusal: string }

export type InputPart =
  | { type: 'input_text'; text: string }
  /** Null where a listing withholds a data URL. */
  | { type: 'input_image'; image_url: string | null; detail: string }
  | { type: 'input_video'; video_url: string | null; fps: number }
  | { type: 'input_file'; file_data?: string | null; filename?: string }
  | { type: 'input_audio'; input_audio: { data: string; format: string } }

export type ContentPart = InputPart | OutputTextPart | RefusalPart

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

export type MessageItem = { id: string; type: 'message'; status: ItemStatus; role: TextRole; content: ContentPart[] }
export type FunctionCallItem = {
  id: string
  type: 'function_call'
  status: ItemStatus
  call_id: string
  name: string
  namespace?: string
  arguments: string
}
export type CustomCallItem = {
  id: string
  type: 'custom_tool_call'
  status: ItemStatus
  call_id: string
  name: string
  namespace?: string
  input: string
}
export type ToolOutputItem = {
  id: string
  type: 'function_call_output' | 'custom_tool_call_output'
  status: ItemStatus
  call_id: string
  output: string | ContentPart[]
}
export type ReasoningItem = {
  id: string
  type: 'reasoning'
  status: ItemStatus
  summary: { type: 'summary_text'; text: string }[]
  content?: { type: 'reasoning_text'; text: string }[]
  /** Always kept in the store; shown only where the caller included it. */
  encrypted_content?: string
}

/** What a model says. */
export type OutputItem = MessageItem | FunctionCallItem | CustomCallItem | ReasoningItem
/** What a conversation is made of. */
export type Item = OutputItem | ToolOutputItem

/** An item before it has a place, and so an id. */
export type Unplaced = { [T in Item as T['type']]: Omit<T, 'id'> }[Item['type']]

export type WireResponseStatus = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled'

export type WireUsage = {
  input_tokens: number
  input_tokens_details: { cached_tokens: number; cache_write_tokens: number }
  output_tokens: number
  output_tokens_details: { reasoning_tokens: number }
  total_tokens: number
}
