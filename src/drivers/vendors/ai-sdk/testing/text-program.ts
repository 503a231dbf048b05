/** Runs conversations through the whole gateway with the language models of real provider
 *  packages. A fake service answers them with the bytes that real services send. */
import { type FakeUpstream, startFakeUpstream } from '../../../../testing/fakes/fake-upstream.ts'
import { type Answer, startTestGateway, type TestGateway } from '../../../../testing/gateway.ts'

interface TextProgram extends AsyncDisposable {
  /** The service of all packages. */
  service: FakeUpstream
  /** A gateway with these models: `claude`, `gemini` and `gpt`; `stored` (its service stores
   *  answers); `caching` (its target uses the cache of its service); `missing` (its package is not
   *  installed); and `spare` (the package of its first target is not installed, but its second
   *  target works). */
  gateway: TestGateway
  chat(body: object): Promise<Answer>
}

/** A message of the user. */
export const asks = { role: 'user', content: 'Weather in Rome?' }

/** Returns a text block of Anthropic's Messages. */
export const says = (text: string) => ({ type: 'text', text }) as const

export async function startTextProgram(): Promise<TextProgram> {
  const service = await startFakeUpstream()
  const target = (name: string, more = '', model = 'up-1') =>
    `{ driver: ai-sdk, package: "${name}", base_url: "${service.baseUrl}", api_key: sk-none-at-all, model: ${model}${more} }`
  const gateway = await startTestGateway({
    yaml: `models:
  - { id: claude, family: chat, targets: [${target('@ai-sdk/anthropic')}] }
  - { id: gemini, family: chat, targets: [${target('@ai-sdk/google')}] }
  - { id: gpt, family: chat, targets: [${target('@ai-sdk/openai', '', 'gpt-5.1')}] }
  - { id: stored, family: chat, targets: [${target('@ai-sdk/openai', ', provider_options: { openai: { store: true } }', 'gpt-5.1')}] }
  - { id: caching, family: chat, targets: [${target('@ai-sdk/anthropic', ', provider_options: { anthropic: { cacheControl: { type: ephemeral } } }')}] }
  - { id: missing, family: chat, targets: [${target('@ai-sdk/not-there')}] }
  - { id: spare, family: chat, targets: [${target('@ai-sdk/not-there')}, ${target('@ai-sdk/anthropic', ', order: 2')}] }
`,
  })
  return {
    service,
    gateway,
    chat: body => gateway.call('/v1/chat/completions', { body }),
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]()
      await service.close()
    },
  }
}
