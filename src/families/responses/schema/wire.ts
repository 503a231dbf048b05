/** Types of items and parts as they are sent, derived from their schemas. They are type aliases,
 *  because TypeScript does not accept an interface where a stored response requires JSON. */
import type { CarriedMembers } from '@generation-gateway/kit/requests/carried.ts'
import type { Static } from 'typebox'
import type {
  compactionItem,
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
/** Members that an upstream sent with the item and that the item's schema does not contain. In the
 *  answer to the caller they are ordinary members of the item (`shownCarried`). */
type CarriedHolder = { carried?: CarriedMembers }
export type MessageItem = Static<typeof messageItem> & CarriedHolder
export type FunctionCallItem = Static<typeof functionCallItem> & CarriedHolder
export type CustomCallItem = Static<typeof customCallItem> & CarriedHolder
export type ToolOutputItem = Static<typeof toolOutputItem>
export type CompactionItem = Static<typeof compactionItem>
/** A reasoning item as it is stored. Its encrypted content is stored even when the caller may not
 *  see it. */
export type ReasoningItem = Static<typeof reasoningItem> & CarriedHolder

/** An item of a model's answer. */
export type OutputItem = MessageItem | FunctionCallItem | CustomCallItem | ReasoningItem
/** An item of a conversation. */
export type Item = OutputItem | ToolOutputItem | CompactionItem

/** An item without a position in a response, and therefore without an id. */
export type UnplacedItem = { [T in Item as T['type']]: Omit<T, 'id'> }[Item['type']]
