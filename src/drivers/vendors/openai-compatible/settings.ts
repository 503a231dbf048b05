/** Settings of a target. The facts derived from them are computed once per settings object and
 *  reused by all requests. */
import { defined } from '@generation-gateway/kit/defined.ts'
import type { TextProtocol } from '@generation-gateway/kit/requests/text-protocol.ts'
import Type from 'typebox'
import { type VoiceFactsOfTarget, voiceFacts, voiceSettings } from '../../shared/sound/speech-words.ts'
import type { Dialect, TextFacts } from '../../shared/text/text-target.ts'
import { firstHop } from '../../shared/upstream/hops.ts'
import { textsOf } from '../../shared/upstream/read-json.ts'
import { serviceSettings, settingText } from '../../shared/upstream/service-settings.ts'
import { imageSettings } from './image-settings.ts'
import { type TranscriptionKind, transcriptionKinds } from './transcription-kind.ts'
import { videoSettings } from './video-settings.ts'

/** Name of the service, for messages. */
export const owner = 'the upstream service'

const dialects: readonly Dialect[] = ['openai', 'basic', 'ark']
const conversations: readonly TextProtocol[] = ['chat', 'responses', 'messages']
const protocols = [...conversations, 'completions']
const openaiHost = 'api.openai.com'

export const settings = serviceSettings<
  TextFacts & VoiceFactsOfTarget & { transcription: TranscriptionKind | undefined; speaksCompletions: boolean }
>({
  driver: 'openai-compatible',
  baseUrl: 'Where the service is, up to and with its version: https://host/v1.',
  apiKey: 'Sent as a bearer token.',
  // The wait for the first byte is long, because a picture of the highest quality takes minutes.
  usualWaits: { firstByteMs: 600_000, idleMs: 120_000 },
  openHeaders: ({ organization, project }) => ({
    ...firstHop,
    'openai-organization': settingText(organization),
    'openai-project': settingText(project),
  }),
  own: {
    dialect: Type.Optional(
      Type.Enum([...dialects], {
        description: 'What the service understands. Default: openai at api.openai.com, ark at volces.com, else basic.',
      }),
    ),
    protocols: Type.Optional(
      Type.Array(Type.Enum([...protocols]), {
        description: "Protocols the service speaks. Default: what the model's family says; none for a model that only draws.",
      }),
    ),
    stateless: Type.Optional(
      Type.Boolean({
        description:
          'True for a service that answers POST /responses and keeps nothing: stored responses are then kept here. Default: false at api.openai.com; any other service is asked once.',
      }),
    ),
    normalize: Type.Optional(
      Type.Boolean({
        description:
          'True puts relayed chat answers in order where clients of OpenAI trip over them: missing indexes, ids and roles, ids that come twice, a finish_reason that denies the calls before it. False passes them byte for byte. Default: true at generativelanguage.googleapis.com, aliyuncs.com and cohere.com, else false.',
      }),
    ),
    cache_control: Type.Optional(
      Type.Boolean({
        description:
          "True for a service that knows Anthropic's marks for its cache in parts and tools of chat (`cache_control`), such as OpenRouter and LiteLLM: callers' marks are then sent. Default: true at openrouter.ai, else false.",
      }),
    ),
    organization: Type.Optional(Type.String({ description: 'Sent as openai-organization.' })),
    project: Type.Optional(Type.String({ description: 'Sent as openai-project.' })),
    image: Type.Optional(imageSettings),
    video: Type.Optional(videoSettings),
    ...voiceSettings,
    transcription: Type.Optional(
      Type.Enum([...transcriptionKinds], {
        description:
          'What a model that writes down can do. Default: by its name, diarized (...-diarize), tokens (...-transcribe), else basic (Whisper).',
      }),
    ),
  },
  facts: ({ dialect: said, protocols: named, stateless, normalize, transcription, cache_control, ...further }, { upstream }) => {
    const { hostname } = new URL(upstream.origin)
    const dialect = dialects.find(each => each === said) ?? dialectAt(hostname)
    const spoken = textsOf(named).flatMap(name => conversations.filter(each => each === name))
    return {
      ...voiceFacts(further),
      transcription: transcriptionKinds.find(each => each === transcription),
      dialect,
      protocols: spoken.length === 0 ? ['chat'] : spoken,
      speaksCompletions: textsOf(named).includes('completions'),
      ...takes(hostname, dialect),
      normalizes: typeof normalize === 'boolean' ? normalize : isAt(untidy, hostname),
      takesCacheMarks: typeof cache_control === 'boolean' ? cache_control : isAt(['openrouter.ai'], hostname),
      isStateless: typeof stateless === 'boolean' ? stateless : hostname === openaiHost ? false : undefined,
    }
  },
})

/** Services that refuse a message with the member `reasoning_content`. The value is the member that
 *  they use for reasoning instead; null when they accept none. Source: each service's documentation
 *  of assistant messages, November 2026. */
const reasoningAt: Readonly<Record<string, string | null>> = {
  'api.groq.com': 'reasoning',
  'api.cerebras.ai': 'reasoning',
  'openrouter.ai': 'reasoning',
  'api.mistral.ai': null,
  'generativelanguage.googleapis.com': null,
}

/** Returns which carried members the service accepts (see carried-members.ts), and in which member
 *  it expects reasoning. Only OpenAI itself refuses every member that it does not know. */
function takes(hostname: string, dialect: Dialect): Pick<TextFacts, 'refusesUnknown' | 'reasoningIn'> {
  const reasoningIn = reasoningAt[hostname]
  return { refusesUnknown: dialect === 'openai', ...defined({ reasoningIn }) }
}

/** Domains of services whose chat answers must be normalized: their tool calls have no index, or
 *  their finish reason after tool calls is `stop`. */
const untidy = ['generativelanguage.googleapis.com', 'aliyuncs.com', 'cohere.com']

function isAt(domains: readonly string[], hostname: string): boolean {
  return domains.some(domain => hostname === domain || hostname.endsWith(`.${domain}`))
}

function dialectAt(hostname: string): Dialect {
  if (hostname === openaiHost) return 'openai'
  return isAt(['volces.com'], hostname) ? 'ark' : 'basic'
}
