/** Options of provider packages for embeddings and rankings that the AI SDK's interfaces lack. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'

interface VectorOptions {
  /** Key of the package in `providerOptions`. */
  provider: string
  /** Name of the option for the length of vectors. Models of version v4 get the length as a member
   *  of the call. */
  dimensions?: string
  /** Options by which the service reads only the beginning of inputs that are too long. */
  cut?: JsonObject
  /** Name of the option for the number of tokens after which a document is cut off. */
  documentTokens?: string
}

/** Documented options of provider packages: vercel/ai, `packages/<name>/src/*-options.ts`, November
 *  2026. */
const documented: Readonly<Record<string, VectorOptions>> = {
  '@ai-sdk/amazon-bedrock': { provider: 'bedrock', dimensions: 'dimensions', cut: { truncate: 'END' } },
  '@ai-sdk/azure': { provider: 'openai', dimensions: 'dimensions' },
  '@ai-sdk/cohere': { provider: 'cohere', dimensions: 'outputDimension', cut: { truncate: 'END' }, documentTokens: 'maxTokensPerDoc' },
  '@ai-sdk/google': { provider: 'google', dimensions: 'outputDimensionality' },
  '@ai-sdk/google-vertex': { provider: 'google', dimensions: 'outputDimensionality' },
  '@ai-sdk/mistral': { provider: 'mistral', dimensions: 'outputDimension' },
  '@ai-sdk/openai': { provider: 'openai', dimensions: 'dimensions' },
  '@ai-sdk/openai-compatible': { provider: 'openaiCompatible', dimensions: 'dimensions' },
}

interface WantedOptions {
  /** Length of vectors; absent for models of version v4, which get it as a member of the call. */
  dimensions?: number | undefined
  cutsInputs?: true | undefined
  documentTokens?: number | undefined
}

/** The `providerOptions` of a call, and the wanted settings for which the package documents no
 *  option. */
interface MatchedOptions {
  options: JsonObject
  lacks: (keyof WantedOptions)[]
}

/** Returns the options for the wanted settings. Options that the target sets for every call
 *  (`fixed`) override them. */
export function vectorOptionsOf(packageName: string, wanted: WantedOptions, fixed: Readonly<JsonObject>): MatchedOptions {
  const known = Object.hasOwn(documented, packageName) ? documented[packageName] : undefined
  const found: Record<keyof WantedOptions, JsonObject | undefined> = {
    dimensions: known?.dimensions === undefined ? undefined : { [known.dimensions]: wanted.dimensions },
    cutsInputs: known?.cut,
    documentTokens: known?.documentTokens === undefined ? undefined : { [known.documentTokens]: wanted.documentTokens },
  }
  const asked = (['dimensions', 'cutsInputs', 'documentTokens'] as const).filter(name => wanted[name] !== undefined)
  const lacks = asked.filter(name => found[name] === undefined)
  const own = Object.assign({}, ...asked.map(name => found[name]))
  if (known === undefined || Object.keys(own).length === 0) return { options: { ...fixed }, lacks }
  return { options: { ...fixed, [known.provider]: { ...own, ...Object(fixed[known.provider]) } }, lacks }
}
