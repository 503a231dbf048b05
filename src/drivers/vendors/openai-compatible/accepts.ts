/** Decides whether the body of a chat or Responses request can be sent to an upstream unchanged.
 *  When a body uses features that the upstream's dialect lacks, it is translated instead, and those
 *  features are emulated (docs/vendors/openai-chat.md#emulation). */

import { isObject, type JsonObject } from '@generation-gateway/kit/json.ts'
import { isSealedReasoning, isSealedSummary } from '@generation-gateway/kit/requests/carried.ts'
import type { TextProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'
import type { Dialect } from '../../shared/text/text-target.ts'

/** Values of the reasoning effort that every server with this field supports. */
const commonEfforts = new Set<unknown>([undefined, null, 'low', 'medium', 'high'])

export function acceptsChat(body: JsonObject, dialect: Dialect): boolean {
  const isFull = dialect === 'openai'
  if (!isFull) {
    // Only OpenAI's own service stores completions; for other servers the gateway keeps them.
    if (body.store === true) return false
    if (body.verbosity !== undefined && body.verbosity !== null) return false
    if (!commonEfforts.has(body.reasoning_effort)) return false
    if (mustBeSingle(body)) return false
    // Some servers, such as Ollama, know only `max_tokens` and would silently ignore
    // `max_completion_tokens`.
    if (dialect === 'basic' && body.max_completion_tokens !== undefined && body.max_completion_tokens !== null) return false
  }
  return each(body.messages, message => acceptsMessage(message, dialect)) && acceptsTools(body, 'chat', isFull)
}

/** Returns true when a Responses body can be sent unchanged. Bodies for Ark are always translated,
 *  because its answers lack fields that clients need. */
export function acceptsResponses(body: JsonObject, dialect: Dialect): boolean {
  if (dialect === 'ark') return false
  const isFull = dialect === 'openai'
  if (!isFull) {
    if (isObject(body.text) && body.text.verbosity !== undefined && body.text.verbosity !== null) return false
    if (isObject(body.reasoning) && !commonEfforts.has(body.reasoning.effort)) return false
    if (mustBeSingle(body)) return false
  }
  if (Array.isArray(body.input) && !each(body.input, item => acceptsItem(item, isFull))) return false
  return acceptsTools(body, 'responses', isFull)
}

/** Returns true when an embeddings body can be sent unchanged. OpenAI refuses members that it does
 *  not know, such as the gateway's `truncate`. */
export function acceptsEmbeddings({ truncate }: JsonObject, dialect: Dialect): boolean {
  return dialect !== 'openai' || !truncate
}

/** Returns true for a body that every rerank service understands. Cohere, for example, accepts only
 *  documents that are texts, and does not return documents. */
export function acceptsRerank({ documents, return_documents: isReturned, rank_fields: fields }: JsonObject): boolean {
  const areTexts = !Array.isArray(documents) || documents.every(document => typeof document === 'string')
  return areTexts && !isReturned && fields == null
}

/** Returns true when the body has tools but allows only one tool call per answer, which some
 *  servers ignore. */
function mustBeSingle(body: JsonObject): boolean {
  return body.parallel_tool_calls === false && Array.isArray(body.tools) && body.tools.length > 0
}

function acceptsMessage(message: JsonObject, dialect: Dialect): boolean {
  if (message.role === 'developer' && dialect !== 'openai') return false
  if (dialect === 'openai') return true
  return each(message.tool_calls, call => call.type !== 'custom') && each(message.content, part => part.type !== 'input_video')
}

function acceptsItem(item: JsonObject, isFull: boolean): boolean {
  // Reasoning that a gateway has sealed cannot be read by any upstream.
  if (isSealedSummary(item.encrypted_content) || isSealedReasoning(item.encrypted_content)) return false
  // A server of the dialect `openai` gets every item, even one whose type the gateway does not
  // know.
  if (isFull) return true
  if (item.role === 'developer' || item.type === 'custom_tool_call' || item.type === 'custom_tool_call_output') return false
  if (typeof item.namespace === 'string') return false
  return each(item.content ?? item.output, part => part.type !== 'input_video')
}

/** Returns true when the tools have the form that the protocol requires: chat puts functions,
 *  grammars and the list of allowed tools into objects of their own, Responses does not. A body in
 *  the other protocol's form is translated. */
function acceptsTools(body: JsonObject, protocol: TextProtocol, isFull: boolean): boolean {
  const choice = body.tool_choice
  if (isObject(choice)) {
    if (!isFull && (choice.type === 'allowed_tools' || choice.type === 'custom' || typeof choice.namespace === 'string')) return false
    if (choice.type === 'allowed_tools' && isObject(choice.allowed_tools) !== (protocol === 'chat')) return false
  }
  return each(body.tools, tool => acceptsTool(tool, protocol, isFull))
}

function acceptsTool(tool: JsonObject, protocol: TextProtocol, isFull: boolean): boolean {
  const isNested = protocol === 'chat'
  if (tool.type === 'function') return isObject(tool.function) === isNested
  if (tool.type === 'namespace') return isFull
  if (tool.type !== 'custom') return true
  const holder = isNested ? tool.custom : tool
  if (!isFull || !isObject(holder)) return false
  const { format } = holder
  return !isObject(format) || format.type !== 'grammar' || isObject(format.grammar) === isNested
}

function each(list: unknown, accepts: (member: JsonObject) => boolean): boolean {
  if (!Array.isArray(list)) return true
  for (const member of list) if (isObject(member) && !accepts(member)) return false
  return true
}
