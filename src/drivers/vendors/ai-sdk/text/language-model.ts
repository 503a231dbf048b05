/** Calls language models of provider packages, versions v2 to v4 of the AI SDK's interface
 *  (`LanguageModel` of `@ai-sdk/provider`). */
import type { Json, JsonObject } from '@generation-gateway/kit/json.ts'
import type { ModelUse } from '../exchanges.ts'
import { takeUrls } from '../process/cloneable.ts'

const versions = ['v2', 'v3', 'v4'] as const
export type LanguageVersion = (typeof versions)[number]

/** The call options of all supported versions of the interface, apart from `reasoning`, which
 *  exists since v4. Members that the gateway never sets are absent. */
export interface LanguageCall {
  prompt: readonly PromptMessage[]
  maxOutputTokens?: number
  temperature?: number
  topP?: number
  topK?: number
  presencePenalty?: number
  frequencyPenalty?: number
  stopSequences?: string[]
  seed?: number
  responseFormat?: { type: 'json'; schema?: JsonObject; name?: string; description?: string }
  tools?: (FunctionTool | ProviderTool)[]
  toolChoice?: { type: 'auto' | 'none' | 'required' } | { type: 'tool'; toolName: string }
  reasoning?: string
  providerOptions: Readonly<JsonObject>
  headers: Readonly<Record<string, string>>
  abortSignal: AbortSignal
}

export interface FunctionTool {
  type: 'function'
  name: string
  description?: string
  inputSchema: JsonObject
  strict?: boolean
  providerOptions?: JsonObject
}

/** A tool that the service runs itself; its type is `provider-defined` in v2 of the interface. */
interface ProviderTool {
  type: 'provider' | 'provider-defined'
  id: string
  name: string
  args: JsonObject
}

export type PromptMessage =
  | { role: 'system'; content: string; providerOptions?: JsonObject }
  | { role: 'user' | 'assistant' | 'tool'; content: PromptPart[]; providerOptions?: JsonObject }

/** A part of a message. Its members depend on its type and on the version of the interface. A
 *  file's `data` is a base64 text, bytes or a URL object; since v4, it is an object that has a
 *  `type` and contains one of these. */
export type PromptPart = { type: string; providerOptions?: JsonObject; [member: string]: Json | URL | object | undefined }

export interface LanguageModel {
  version: LanguageVersion
  /** Returns true when the model itself reads a file of this media type (`image/*` for an unknown
   *  picture) from this URL. */
  takesUrl(mediaType: string, url: string): boolean
  /** Calls the model and yields the parts of its answer unchanged. Ends when the run of the driver
   *  ends. Throws the errors of the package, and `upstream_error` when the package returns no
   *  stream. */
  stream(call: LanguageCall): AsyncGenerator<unknown, void, undefined>
}

/** Returns the target's model. `method` is the provider's method that creates it; by
 *  default, the common methods are tried. Throws `capability_unavailable` when it is not a language
 *  model of a supported version, and the errors of the package. */
export async function languageModelOf(used: ModelUse, method: string | undefined): Promise<LanguageModel> {
  const makers = method === undefined ? ['languageModel', 'chat', 'chatModel'] : [method]
  const model = await used.wait(used.model({ kind: 'language', makers, versions }, [{ name: 'supportedUrls' }]))
  const { version, members } = model
  return {
    // The cast is safe: models of other versions are refused.
    version: version as LanguageVersion,
    takesUrl: (mediaType, url) => urlPatterns(members.supportedUrls, mediaType).some(pattern => url.search(pattern) === 0),
    stream: call => model.stream('doStream', call, { urls: takeUrls(call.prompt, ['prompt']), wait: used.wait }),
  }
}

/** Returns the patterns of the URLs that a model reads for files of this media type. The model
 *  lists its patterns by media type, in which `*` stands for any type or subtype. */
function urlPatterns(urls: unknown, mediaType: string): RegExp[] {
  if (typeof urls !== 'object' || urls === null) return []
  return Object.entries(urls).flatMap(([type, patterns]) => {
    const prefix = type.toLowerCase().replace(/\*.*$/, '')
    const isMeant = type.endsWith('*') ? mediaType.startsWith(prefix) : mediaType === prefix
    return isMeant && Array.isArray(patterns) ? patterns.filter(pattern => pattern instanceof RegExp) : []
  })
}
