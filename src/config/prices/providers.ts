/** Finds the provider in LiteLLM's price list for a target of the configuration file. */

/** Providers by the driver of a target, for targets that do not name an npm package. */
const byDriver: Readonly<Record<string, string>> = {
  anthropic: 'anthropic',
  ark: 'volcengine',
  'azure-speech': 'azure',
  bfl: 'black_forest_labs',
  elevenlabs: 'elevenlabs',
  gemini: 'gemini',
  minimax: 'minimax',
  vertex: 'vertex_ai',
}
/** Providers by the npm package that a target names. */
const byPackage: Readonly<Record<string, string>> = {
  '@ai-sdk/amazon-bedrock': 'bedrock',
  '@ai-sdk/anthropic': 'anthropic',
  '@ai-sdk/assemblyai': 'assemblyai',
  '@ai-sdk/azure': 'azure',
  '@ai-sdk/cerebras': 'cerebras',
  '@ai-sdk/cohere': 'cohere',
  '@ai-sdk/deepgram': 'deepgram',
  '@ai-sdk/deepinfra': 'deepinfra',
  '@ai-sdk/deepseek': 'deepseek',
  '@ai-sdk/elevenlabs': 'elevenlabs',
  '@ai-sdk/fal': 'fal_ai',
  '@ai-sdk/fireworks': 'fireworks_ai',
  '@ai-sdk/google': 'gemini',
  '@ai-sdk/google-vertex': 'vertex_ai',
  '@ai-sdk/groq': 'groq',
  '@ai-sdk/mistral': 'mistral',
  '@ai-sdk/openai': 'openai',
  '@ai-sdk/perplexity': 'perplexity',
  '@ai-sdk/replicate': 'replicate',
  '@ai-sdk/togetherai': 'together_ai',
  '@ai-sdk/xai': 'xai',
  '@openrouter/ai-sdk-provider': 'openrouter',
}

/** Providers by the end of the host in a target's `base_url`. */
const byHost: Readonly<Record<string, string>> = {
  'amazonaws.com': 'bedrock',
  'anthropic.com': 'anthropic',
  'api.ai21.com': 'ai21',
  'api.cerebras.ai': 'cerebras',
  'api.deepinfra.com': 'deepinfra',
  'api.deepseek.com': 'deepseek',
  'api.fireworks.ai': 'fireworks_ai',
  'api.groq.com': 'groq',
  'api.hyperbolic.xyz': 'hyperbolic',
  'api.jina.ai': 'jina_ai',
  'api.mistral.ai': 'mistral',
  'api.novita.ai': 'novita',
  'api.openai.com': 'openai',
  'api.perplexity.ai': 'perplexity',
  'api.sambanova.ai': 'sambanova',
  'api.together.ai': 'together_ai',
  'api.together.xyz': 'together_ai',
  'api.voyageai.com': 'voyage',
  'api.x.ai': 'xai',
  'api.z.ai': 'zai',
  'aiplatform.googleapis.com': 'vertex_ai',
  'cohere.ai': 'cohere',
  'cohere.com': 'cohere',
  'dashscope.aliyuncs.com': 'dashscope',
  'dashscope-intl.aliyuncs.com': 'dashscope',
  'generativelanguage.googleapis.com': 'gemini',
  'minimax.io': 'minimax',
  'moonshot.ai': 'moonshot',
  'moonshot.cn': 'moonshot',
  'nebius.com': 'nebius',
  'openai.azure.com': 'azure',
  'openrouter.ai': 'openrouter',
  'services.ai.azure.com': 'azure_ai',
  'volces.com': 'volcengine',
}

/** Further names that the member `litellm_provider` of the list has for a provider. */
const otherIds: Readonly<Record<string, readonly string[]>> = {
  bedrock: ['bedrock_converse'],
  cohere: ['cohere_chat'],
  openai: ['text'],
}

/** Returns the values that `litellm_provider` may have for a provider. The list may append a dash
 *  and a further text to each (`vertex_ai-llama_models`). */
export function providerIds(provider: string): readonly string[] {
  return [provider, ...(otherIds[provider] ?? [])]
}

/** Returns the provider of a target. It is found by the host in `base_url`, otherwise by the
 *  package or the driver; undefined when the list has no such provider. */
export function providerOf({ driver, base_url: address, package: name }: Readonly<Record<string, unknown>>): string | undefined {
  const host = typeof address === 'string' ? (URL.parse(address)?.hostname ?? '') : ''
  const end = Object.keys(byHost).find(known => host === known || host.endsWith(`.${known}`))
  if (end !== undefined) return byHost[end]
  return typeof name === 'string' ? byPackage[name] : byDriver[String(driver)]
}
