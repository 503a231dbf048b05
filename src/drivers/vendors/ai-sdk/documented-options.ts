/** Request fields that the AI SDK's interface of image models lacks, but for which provider
 *  packages document options. */
import { defined } from '@generation-gateway/kit/defined.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { FieldName } from '@generation-gateway/kit/requests/field-names.ts'
import { countOf, type ImageRequest, isNewPicture } from '../../shared/image/image-job.ts'
import { entryOf, type PackageTable, packageKey } from '../../shared/text/packages/package-keys.ts'
import { mergedOptions } from './merged-options.ts'

interface DocumentedOptions {
  /** For each field, a function that returns the options for it; undefined when the request does
   *  not use the field. */
  fields: Partial<Record<FieldName, (request: ImageRequest) => JsonObject | undefined>>
}

/** Documented options of provider packages: vercel/ai,
 *  `packages/<name>/src/*-image-model-options.ts`, November 2026. */
const documented: PackageTable<DocumentedOptions> = {
  '@ai-sdk/bytedance': {
    fields: {
      series: request => (request.series ? { sequentialImageGeneration: 'auto', maxImages: countOf(request) } : undefined),
      // The option is always sent, because the service adds a watermark unless it is false.
      watermark: ({ watermark = false }) => ({ watermark }),
      tier: ({ tier }) => tier && { size: tier.name },
      promptMode: ({ promptMode }) => (promptMode === undefined ? undefined : { optimizePromptMode: promptMode }),
    },
  },
  '@ai-sdk/fal': {
    fields: {
      guidance: ({ guidance }) => defined({ guidanceScale: guidance }),
      steps: request => defined({ numInferenceSteps: stepsOf(request) }),
    },
  },
  '@ai-sdk/replicate': {
    fields: {
      guidance: ({ guidance }) => defined({ guidance_scale: guidance }),
      steps: request => defined({ num_inference_steps: stepsOf(request) }),
      negativePrompt: ({ negativePrompt }) => defined({ negative_prompt: negativePrompt }),
    },
  },
}

/** Returns true when the package has an option for the field. */
export function hasOptionFor(packageName: string, field: FieldName): boolean {
  return optionsOf(packageName)?.fields[field] !== undefined
}

/** Returns the fields for which the package has options. */
export function fieldsWithOptions(packageName: string): FieldName[] {
  return Object.keys(optionsOf(packageName)?.fields ?? {}) as FieldName[]
}

/** Returns the `providerOptions` of the call. Options derived from the request are overridden by
 *  those that the target sets for every call (`fixed`). */
export function providerOptionsOf(packageName: string, request: ImageRequest, fixed: Readonly<JsonObject>): JsonObject {
  const known = optionsOf(packageName)
  if (known === undefined) return { ...fixed }
  const requested = Object.assign({}, ...Object.values(known.fields).map(option => option(request)))
  return mergedOptions(packageKey(packageName), requested, fixed)
}

function optionsOf(packageName: string): DocumentedOptions | undefined {
  return entryOf(documented, packageName)
}

function stepsOf(request: ImageRequest): number | undefined {
  return isNewPicture(request) ? request.steps : undefined
}
