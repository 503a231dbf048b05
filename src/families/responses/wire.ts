/** Wire types of items and parts, from their schemas. Type aliases, since stored responses keep them as JSON. */
import type { Static } from 'typebox'
import type {
  contentPart,
  customCallItem,
  functionCallItem,
  itemStatus,
  logprob,
  messageItem,
  outputTextPart,
  reasoningItem,
  refusalPart,
  toolOutputItem,
} from './item-schema.ts'

export type WireLogprob = Static<typeof logprob>
export type OutputTextPart = Static<typeof outputTextPart>
export type RefusalPart = Static<typeof refusalPart>
export type ContentPart = Static<typeof contentPart>
export type ItemStatus = Static<typeof itemStatus>
export type MessageItem = Static<typeof messageItem>
export type FunctionCallItem = Static<typeof functionCallItem>
export type CustomCallItem = Static<typeof customCallItem>
export type ToolOutputItem = Static<typeof toolOutputItem>
/** Its encrypted content is always kept in the store. */
export type ReasoningItem = Static<typeof reasoningItem>

/** What a model says. */
export type OutputItem = MessageItem | FunctionCallItem | CustomCallItem | ReasoningItem
/** What a conversation is made of. */
export type Item = OutputItem | ToolOutputItem

/** An item before it has a place, and so an id. */
export type Unplaced = { [T in Item as T['type']]: Omit<T, 'id'> }[Item['type']]
