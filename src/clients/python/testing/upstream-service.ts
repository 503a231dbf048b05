/** A fake service with OpenAI's interface, which refuses requests with the same messages as
 *  OpenAI. */
import { errorReply, type FakeReply, type FakeUpstream, startFakeUpstream } from '../../../testing/fakes/fake-upstream.ts'
import { textReply } from '../../../testing/fakes/fake-upstream-text.ts'

/** Starts the service. It answers `Hello from upstream`. A body that contains `overflow` is
 *  refused as too long. A body with a text `limited <id>` (hex digits and hyphens) is refused
 *  with a rate limit, but only the first time for each id. */
export async function startUpstreamService(): Promise<FakeUpstream> {
  const upstream = await startFakeUpstream()
  const seen = new Set<string>()
  upstream.answer((response, request) => replyTo(request.body.toString(), seen)(response, request))
  return upstream
}

/** Returns entries for the list of models in the configuration file, one for each protocol that
 *  the service speaks. */
export function upstreamModels({ baseUrl }: FakeUpstream): string {
  const target = `driver: openai-compatible, model: up-1, api_key: sk-afar, dialect: openai, base_url: "${baseUrl}"`
  return `
  - { id: far-relayed, family: [chat, responses], targets: [{ ${target}, protocols: [chat, responses] }] }
  - { id: far-chat, family: chat, targets: [{ ${target}, protocols: [chat] }] }
  - { id: far-responses, family: responses, targets: [{ ${target}, protocols: [responses] }] }`
}

function replyTo(body: string, seen: Set<string>): FakeReply {
  if (body.includes('overflow')) return errorReply(400, { message: overflow, param: 'messages', code: 'context_length_exceeded' })
  const [limited] = body.match(/limited [0-9a-f-]+/) ?? []
  if (limited === undefined || seen.has(limited)) return textReply
  seen.add(limited)
  const error = { message: 'Rate limit reached for requests.', type: 'requests', code: 'rate_limit_exceeded' }
  return errorReply(429, error, { 'retry-after': '1' })
}

/** OpenAI's message about a conversation that is too long. */
const overflow =
  "This model's maximum context length is 8 tokens. However, your messages resulted in 9 tokens. Please reduce the length of the messages."
