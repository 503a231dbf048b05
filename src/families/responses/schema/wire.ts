/** Wire types of items and parts, from their schemas. Type aliases, since stored responses keep them as JSON. */
import type { Carried } from '@generation-gateway/kit/requests/carried.ts'
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
/** What an upstream put beside the item; a caller sees its members on the item itself (`shownCarried`). */
type Carrying = { carried?: Carried }
export type MessageItem = Static<typeof messageItem> & Carrying
export type FunctionCallItem = Static<typeof functionCallItem> & Carrying
export type CustomCallItem = Static<typeof customCallItem> & Carrying
export type ToolOutputItem = Static<typeof toolOutputItem>
/** Its encrypted content is always kept in the store. */
export type ReasoningItem = Static<typeof reasoningItem> & Carrying

/** What a model says. */
export type OutputItem = MessageItem | FunctionCallItem | CustomCallItem | ReasoningItem
/** What a conversation is made of. */
export type Item = OutputItem | ToolOutputItem

/** An item before it has a place, and so an id. */
export type Unplaced = { [T in Item as T['type']]: Omit<T, 'id'> }[Item['type']]
