/** Fields of random conversations that not every protocol has, and the names by which warnings tell
 *  the caller that they are left out. */
import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'
import type { TextProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'
import type { Feature } from './random-conversation.ts'

type Names = Partial<Record<TextProtocol, string>>

interface LostField {
  names: Names
  isIn(request: TextRequest): boolean
  without(request: TextRequest): TextRequest
}

/** Describes a lost field that is a member of the neutral request. */
function field(name: keyof TextRequest, names: Names): LostField {
  return {
    names,
    isIn: request => request[name] !== undefined && !(request[name] === 0 && name.endsWith('Penalty')),
    without: request => {
      const { [name]: _, ...rest } = request
      // The cast is safe: only optional fields are left out.
      return rest as TextRequest
    },
  }
}

/** Describes a lost field that is not a member of the neutral request. Several protocols have it
 *  under the same name, so it is in `extras`. */
function extra(name: string, callers: readonly TextProtocol[]): LostField {
  return {
    names: Object.fromEntries(callers.map(caller => [caller, name])),
    isIn: ({ extras }) => extras.fields[name] !== undefined,
    without: ({ extras, ...request }) => {
      const { [name]: _, ...fields } = extras.fields
      return { ...request, extras: { ...extras, fields } }
    },
  }
}

const ofConfig = (name: string) => `generationConfig.${name}`

const fields: Partial<Record<Feature, readonly LostField[]>> = {
  seed: [field('seed', { chat: 'seed', 'generate-content': ofConfig('seed') })],
  penalties: [
    field('frequencyPenalty', { chat: 'frequency_penalty', 'generate-content': ofConfig('frequencyPenalty') }),
    field('presencePenalty', { chat: 'presence_penalty', 'generate-content': ofConfig('presencePenalty') }),
  ],
  'top-k': [field('topK', { messages: 'top_k', 'generate-content': ofConfig('topK') })],
  user: [field('user', { chat: 'user', responses: 'user', messages: 'metadata.user_id' })],
  // Responses never lose their metadata, because the gateway itself returns them.
  metadata: [extra('metadata', ['chat'])],
  safety: [extra('safety_identifier', ['chat', 'responses'])],
  tier: [extra('service_tier', ['chat', 'responses', 'messages'])],
  'failed-result': [
    {
      names: { messages: 'messages', 'generate-content': 'contents' },
      isIn: ({ items }) => items.some(item => item.type === 'result' && item.isError),
      without: ({ items, ...request }) => ({
        ...request,
        items: items.map(item => (item.type === 'result' && item.isError ? { ...item, isError: false } : item)),
      }),
    },
  ],
}

/** Returns true for a feature about which a warning tells the caller when a translation drops
 *  it. */
export function isReported(feature: Feature): boolean {
  return fields[feature] !== undefined
}

/** Returns the request without what the upstream lacks, and the names of the lost fields as the
 *  caller's protocol has them, in alphabetical order. */
export function withoutLost(
  given: TextRequest,
  caller: TextProtocol,
  upstream: TextProtocol,
  features: readonly Feature[],
): { request: TextRequest; warned: string[] } {
  const lost = Object.entries(fields).flatMap(([feature, found]) => (features.some(each => each === feature) ? [] : found))
  const warned = lost.flatMap(each => (each.isIn(given) ? (each.names[caller] ?? []) : []))
  // In generateContent, `thinkingConfig` sets the effort and also requests that thoughts are shown.
  // Chat has no field for the latter, so the warning names `thinkingConfig`.
  if (caller === 'generate-content' && upstream === 'chat' && given.reasoning) warned.push(ofConfig('thinkingConfig'))
  return { request: lost.reduce((request, each) => each.without(request), given), warned: warned.sort() }
}

const sentence = /^(.+): (?:the model has no such settings?|that a tool failed is left out|the model shows no summary)\.$/

/** Returns the names of fields that a warning reports as left out, in alphabetical order. */
export function namesLeftOut(warning: string): string[] {
  return warning
    .split(/(?<=\.) /)
    .flatMap(each => sentence.exec(each)?.[1]?.split(', ') ?? [])
    .sort()
}
