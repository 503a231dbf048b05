/** Converts signatures that a package of the AI SDK received in an earlier turn to the form of the
 *  target's protocol. A target of the same provider that is reached without a package can then use
 *  them (docs/decisions/0037). */
import { defined } from '@generation-gateway/kit/defined.ts'
import { type JsonObject, objectOf, textOf } from '@generation-gateway/kit/json.ts'
import { type CarriedMembers, type CarriedSource, thinkingBlocks } from '@generation-gateway/kit/requests/carried.ts'
import type { TextItem, TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { isSameService, packageIn } from '../carried-members.ts'
import { entryOf, type PackageTable, packageKey } from './package-keys.ts'
import {
  type AnswerItem,
  answerItem,
  type CutPart,
  cutAnswer,
  listedParts,
  metadataMember,
  partsMember,
  providerOptionsIn,
  runOf,
} from './provider-parts.ts'

/** A protocol with signatures that packages receive and send back. */
export type SignedProtocol = 'messages' | 'generate-content' | 'responses'

/** The form in which a package receives and sends back the signatures of its service. */
export interface PackageForm {
  protocol: SignedProtocol
  /** The package's key in `providerMetadata` and `providerOptions`. */
  key: string
  /** Host of the service when the settings state none; undefined when it depends on a region or an
   *  account. */
  host?: string
}

/** Packages whose services sign parts of answers. Read from the sources of vercel/ai
 *  (`packages/<name>/src`) in November 2026. */
const forms: PackageTable<Omit<PackageForm, 'key'>> = {
  '@ai-sdk/anthropic': { protocol: 'messages', host: 'api.anthropic.com' },
  '@ai-sdk/amazon-bedrock': { protocol: 'messages' },
  '@ai-sdk/google': { protocol: 'generate-content', host: 'generativelanguage.googleapis.com' },
  '@ai-sdk/google-vertex': { protocol: 'generate-content' },
  '@ai-sdk/openai': { protocol: 'responses', host: 'api.openai.com' },
  '@ai-sdk/azure': { protocol: 'responses' },
}
/** Keys under which packages report signatures of a protocol. Some packages have changed their
 *  key. */
const keys: Readonly<Record<SignedProtocol, readonly string[]>> = {
  messages: ['anthropic', 'bedrock'],
  'generate-content': ['google', 'vertex', 'googleVertex'],
  responses: ['openai', 'azure'],
}

/** Returns the form in which a package receives and sends back signatures; undefined for a package
 *  without signatures. */
export function packageForm(name: string): PackageForm | undefined {
  const form = entryOf(forms, name)
  const key = packageKey(name)
  return form && key !== undefined ? { ...form, key } : undefined
}

/** Returns the request with the signatures that a package received converted to the form of the
 *  target's protocol. Answers of other providers stay unchanged, and so do answers whose texts the
 *  caller has changed. */
export function withPackageSignatures(request: TextRequest, kind: CarriedSource): TextRequest {
  const { protocol } = kind
  if (protocol === 'chat' || !request.items.some(item => membersFrom(item, kind) !== undefined)) return request
  const items: TextItem[] = []
  for (let at = 0; at < request.items.length; ) {
    const run = runOf(request.items, at, answerItem)
    const next = request.items[at]
    if (run.length > 0) items.push(...answerFor(run, kind, protocol))
    else if (next !== undefined) items.push(next)
    at += Math.max(1, run.length)
  }
  return { ...request, items }
}

/** Returns the carried members that a package of the target's provider made; undefined when there
 *  are none. Members without a source came from the caller and are valid for every target of the
 *  protocol, as other signatures are. */
function membersFrom(item: TextItem, kind: CarriedSource): JsonObject | undefined {
  const carried: CarriedMembers | undefined = item.type === 'result' ? undefined : item.carried
  if (carried === undefined) return undefined
  const { from, members } = carried
  const name = from && packageIn(from.dialect)
  const isFromHere =
    from === undefined || (name !== undefined && packageForm(name)?.protocol === kind.protocol && isSameService(from, kind))
  return isFromHere && (members[partsMember] !== undefined || members[metadataMember] !== undefined) ? members : undefined
}

function answerFor(run: readonly AnswerItem[], kind: CarriedSource, protocol: SignedProtocol): AnswerItem[] {
  const signedCalls = run.map(item => (item.type === 'call' ? signedCall(item, kind, protocol) : item))
  const listed = listedParts(run.filter(({ type }) => type !== 'call').map(item => membersFrom(item, kind) ?? {}))
  if (listed.length === 0) return signedCalls
  const calls = new Map(signedCalls.flatMap(item => (item.type === 'call' ? [[item.callId, item] as const] : [])))
  const cut = cutAnswer({ ...textsOf(run), calls: [...calls.keys()] }, listed)
  return cut === undefined ? signedCalls : itemsOf(cut, calls, { kind, protocol })
}

function textsOf(run: readonly AnswerItem[]): { reasoning: string; text: string } {
  const reasoning = run.flatMap(item => (item.type === 'reasoning' ? item.content : []))
  const said = run.flatMap(item => (item.type === 'message' ? item.parts : []))
  const text = said.map(part => (part.type === 'text' || part.type === 'refusal' ? part.text : ''))
  return { reasoning: reasoning.join(''), text: text.join('') }
}

type CallItem = Extract<TextItem, { type: 'call' }>
type ReasoningItem = Extract<TextItem, { type: 'reasoning' }>
type Signing = { kind: CarriedSource; protocol: SignedProtocol }

function signedCall(call: CallItem, kind: CarriedSource, protocol: SignedProtocol): CallItem {
  const metadata = providerOptionsIn(membersFrom(call, kind)?.[metadataMember])
  const signature = protocol === 'generate-content' ? textOf(own(metadata, protocol).thoughtSignature) : undefined
  return signature === undefined ? call : { ...call, carried: { members: { thoughtSignature: signature }, from: kind } }
}

function own(metadata: JsonObject | undefined, protocol: SignedProtocol): JsonObject {
  return objectOf(keys[protocol].map(key => metadata?.[key]).find(each => each !== undefined))
}

/** Returns the parts as items. Parts that callers do not see, such as calls of a tool that the
 *  service runs itself, are left out. */
function itemsOf(cut: readonly CutPart[], calls: ReadonlyMap<string, CallItem>, to: Signing): AnswerItem[] {
  const items: AnswerItem[] = []
  for (const part of cut) {
    if (part.type === 'part') continue
    if (part.type === 'call') {
      const call = calls.get(part.id)
      if (call) items.push(call)
      continue
    }
    const signing = own(part.metadata, to.protocol)
    const item = part.type === 'text' ? textItem(part.text, signing, to) : reasoningItem(part.text, signing, to)
    const last = items.at(-1)
    // Each paragraph of a summary is a part, and all of them belong to one encrypted item.
    if (item.type === 'reasoning' && last?.type === 'reasoning' && item.id !== undefined && item.id === last.id)
      Object.assign(last, { summary: [...last.summary, ...item.summary], encrypted: item.encrypted ?? last.encrypted })
    else items.push(item)
  }
  return items
}

function textItem(text: string, { thoughtSignature }: JsonObject, { kind, protocol }: Signing): AnswerItem {
  const signature = protocol === 'generate-content' ? textOf(thoughtSignature) : undefined
  const carried = signature === undefined ? undefined : { members: { thoughtSignature: signature }, from: kind }
  return { type: 'message', role: 'assistant', parts: [{ type: 'text', text }], ...defined({ carried }) }
}

function reasoningItem(text: string, signing: JsonObject, { kind, protocol }: Signing): ReasoningItem {
  const plain: ReasoningItem = { type: 'reasoning', summary: [], content: text === '' ? [] : [text] }
  const carrying = (members: JsonObject): ReasoningItem => ({ ...plain, carried: { members, from: kind } })
  switch (protocol) {
    case 'messages': {
      const [signature, data] = [textOf(signing.signature), textOf(signing.redactedData)]
      if (data !== undefined) return carrying({ [thinkingBlocks]: [{ type: 'redacted_thinking', data }] })
      return signature === undefined ? plain : carrying({ [thinkingBlocks]: [{ type: 'thinking', thinking: text, signature }] })
    }
    case 'generate-content': {
      const signature = textOf(signing.thoughtSignature)
      return signature === undefined ? plain : carrying({ thoughtSignature: signature })
    }
    case 'responses': {
      const [encrypted, id] = [textOf(signing.reasoningEncryptedContent), textOf(signing.itemId)]
      if (id === undefined && encrypted === undefined) return plain
      return { type: 'reasoning', summary: plain.content, content: [], ...defined({ encrypted, id }) }
    }
  }
}
