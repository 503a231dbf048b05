/** Options of provider packages for embeddings and rankings that the AI SDK's interfaces lack. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import { entryOf, type PackageTable, packageKey } from '../../../shared/text/packages/package-keys.ts'
import { mergedOptions } from '../merged-options.ts'

interface VectorOptions {
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
const documented: PackageTable<VectorOptions> = {
  '@ai-sdk/amazon-bedrock': { dimensions: 'dimensions', cut: { truncate: 'END' } },
  '@ai-sdk/azure': { dimensions: 'dimensions' },
  '@ai-sdk/cohere': { dimensions: 'outputDimension', cut: { truncate: 'END' }, documentTokens: 'maxTokensPerDoc' },
  '@ai-sdk/google': { dimensions: 'outputDimensionality' },
  '@ai-sdk/google-vertex': { dimensions: 'outputDimensionality' },
  '@ai-sdk/mistral': { dimensions: 'outputDimension' },
  '@ai-sdk/openai': { dimensions: 'dimensions' },
  '@ai-sdk/openai-compatible': { dimensions: 'dimensions' },
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
  const known = entryOf(documented, packageName)
  const found: Record<keyof WantedOptions, JsonObject | undefined> = {
    dimensions: known?.dimensions === undefined ? undefined : { [known.dimensions]: wanted.dimensions },
    cutsInputs: known?.cut,
    documentTokens: known?.documentTokens === undefined ? undefined : { [known.documentTokens]: wanted.documentTokens },
  }
  const asked = (['dimensions', 'cutsInputs', 'documentTokens'] as const).filter(name => wanted[name] !== undefined)
  const lacks = asked.filter(name => found[name] === undefined)
  const own = Object.assign({}, ...asked.map(name => found[name]))
  return { options: mergedOptions(packageKey(packageName), own, fixed), lacks }
}
