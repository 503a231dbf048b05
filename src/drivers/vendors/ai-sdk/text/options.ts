/** Options of provider packages for request fields that the AI SDK's interface of language models
 *  lacks. */
import { isObject, type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import type { ReasoningEffort, TextRequest } from '@generation-gateway/kit/requests/text.ts'
import { entryOf, type PackageTable, packageKey } from '../../../shared/text/packages/package-keys.ts'
import { mergedOptions } from '../merged-options.ts'
import type { LanguageVersion } from './language-model.ts'

interface TextOptions {
  /** True when the package has the option `reasoningEffort`. Only versions of the AI SDK's model
   *  interface before v4 need it; since v4, the effort is a parameter of the interface itself. */
  hasEffort?: true
  /** Returns the options for a largest number of tokens of reasoning; 0 turns reasoning off. */
  budget?(tokens: number): JsonObject
  /** True when the package has the option `reasoningSummary`. The services of other packages send
   *  their reasoning without such an option. */
  hasSummary?: true
  /** True when the package has an option for the frame rate at which the model samples a video. */
  takesFrameRate?: true
  /** Returns the options for the name that the caller gives to its end user. */
  user?(name: string): JsonObject
  /** True when the package sends pictures and documents inside of the results of tools. For
   *  other packages, pictures and documents follow the results in a message of the user. */
  takesFilesInResults?: true
  /** True when the package has the option `cacheControl`, which sets Anthropic's cache marks on
   *  parts, tools and calls. */
  takesCacheMarks?: true
  /** True when the service stores answers unless the option `store` is false. */
  storesAnswers?: true
}

const userByName = (user: string) => ({ user })
const thinkingBudget = (tokens: number) => ({ thinkingConfig: { thinkingBudget: tokens, includeThoughts: tokens > 0 } })
const switchedBudget = (name: string) => (tokens: number) => (tokens > 0 ? { type: 'enabled', [name]: tokens } : { type: 'disabled' })

/** Documented options of provider packages: vercel/ai, `packages/<name>/src/*-options.ts` and their
 *  conversion of prompts, November 2026. */
const documented: PackageTable<TextOptions> = {
  '@ai-sdk/anthropic': {
    budget: tokens => ({ thinking: switchedBudget('budgetTokens')(tokens) }),
    user: userId => ({ metadata: { userId } }),
    takesFilesInResults: true,
    takesCacheMarks: true,
  },
  '@ai-sdk/amazon-bedrock': {
    budget: tokens => ({ reasoningConfig: switchedBudget('budgetTokens')(tokens) }),
    takesFilesInResults: true,
  },
  '@ai-sdk/azure': { hasEffort: true, hasSummary: true, user: userByName, takesFilesInResults: true, storesAnswers: true },
  '@ai-sdk/cohere': { budget: tokens => ({ thinking: switchedBudget('tokenBudget')(tokens) }) },
  '@ai-sdk/google': {
    budget: thinkingBudget,
    takesFilesInResults: true,
    takesFrameRate: true,
  },
  '@ai-sdk/google-vertex': {
    budget: thinkingBudget,
    takesFilesInResults: true,
    takesFrameRate: true,
  },
  '@ai-sdk/groq': { hasEffort: true, user: userByName },
  '@ai-sdk/openai': { hasEffort: true, hasSummary: true, user: userByName, takesFilesInResults: true, storesAnswers: true },
  '@ai-sdk/openai-compatible': { hasEffort: true, user: userByName },
  '@ai-sdk/xai': { hasEffort: true },
}

/** For packages that accept no number of reasoning tokens: the effort that replaces a number of at
 *  most `mostTokens`. */
const effortsByBudget: readonly [mostTokens: number, effort: ReasoningEffort][] = [
  [0, 'none'],
  [2_048, 'low'],
  [8_192, 'medium'],
]

export function takesFrameRate(packageName: string): boolean {
  return optionsOf(packageName)?.takesFrameRate === true
}

/** Returns true when the package has an option for the name that the caller gives to its end
 *  user. */
export function takesUser(packageName: string): boolean {
  return optionsOf(packageName)?.user !== undefined
}

export function takesFilesInResults(packageName: string): boolean {
  return optionsOf(packageName)?.takesFilesInResults === true
}

/** Returns true when the service stores answers, because the package supports it and the target's
 *  option `store` is not false. Ids in the metadata of such a package refer to stored items. */
export function storesAnswers(packageName: string, fixed: Readonly<JsonObject>): boolean {
  const { store = false } = objectOf(fixed[keyFor(packageName, fixed) ?? ''])
  return optionsOf(packageName)?.storesAnswers === true && store !== false
}

/** Returns the key in `providerOptions` under which the package accepts cache marks; undefined when
 *  it accepts none. */
export function cacheMarksUnder(packageName: string): string | undefined {
  return optionsOf(packageName)?.takesCacheMarks ? packageKey(packageName) : undefined
}

/** The reasoning that is requested from a model. */
interface ModelReasoning {
  effort: ReasoningEffort | undefined
  /** True when `effort` was derived from the caller's number of tokens, because the package does
   *  not accept that number. */
  isApproximate: boolean
  /** True when the caller requested an effort and the model accepts none. */
  isLeftOut: boolean
}

/** Returns the effort for a model of this package and version. If the caller states a number of
 *  reasoning tokens and the package has no option for it, the effort is derived from that
 *  number. */
export function reasoningFor(packageName: string, version: LanguageVersion, { reasoning }: TextRequest): ModelReasoning {
  const known = optionsOf(packageName)
  const tokens = known?.budget === undefined ? reasoning?.budgetTokens : undefined
  const effort = tokens === undefined ? reasoning?.effort : (effortsByBudget.find(([most]) => tokens <= most)?.[1] ?? 'high')
  const takesEffort = version === 'v4' || known?.hasEffort === true
  return {
    effort: takesEffort ? effort : undefined,
    isApproximate: takesEffort && tokens !== undefined,
    isLeftOut: !takesEffort && effort !== undefined && (known?.budget === undefined || reasoning?.budgetTokens === undefined),
  }
}

/** Returns the `providerOptions` of the call. Options derived from the request are overridden by
 *  those that the target sets for every call (`fixed`). By default, services are requested not to
 *  store answers. Each request contains the whole conversation anyway, and any account could refer
 *  to a stored item. */
export function textOptionsOf(
  packageName: string,
  { version, request, fixed }: { version: LanguageVersion; request: TextRequest; fixed: Readonly<JsonObject> },
): JsonObject {
  const known = optionsOf(packageName)
  if (known === undefined) return { ...fixed }
  const { budget, user, hasSummary, takesCacheMarks, storesAnswers } = known
  const { effort } = reasoningFor(packageName, version, request)
  const tokens = request.reasoning?.budgetTokens
  const summary = request.reasoning?.summary
  const own = {
    ...(version !== 'v4' && effort !== undefined ? { reasoningEffort: effort } : {}),
    ...(hasSummary && summary !== undefined ? { reasoningSummary: summary } : {}),
    ...(tokens === undefined ? {} : budget?.(tokens)),
    ...(request.user === undefined ? {} : user?.(request.user)),
    ...(takesCacheMarks ? markOfRequest(request) : {}),
    ...(storesAnswers ? { store: false } : {}),
  }
  return mergedOptions(keyFor(packageName, fixed), own, fixed)
}

/** Returns the key in `providerOptions` that the package reads. The package of Azure reads `openai`
 *  only when there is no `azure`. */
function keyFor(packageName: string, fixed: Readonly<JsonObject>): string | undefined {
  return packageName === '@ai-sdk/azure' && 'azure' in fixed ? 'azure' : packageKey(packageName)
}

/** Returns the option for the cache mark of the whole request; an empty object without a mark. */
function markOfRequest({ extras: { protocol, fields } }: TextRequest): JsonObject {
  const mark = protocol === 'messages' || protocol === 'chat' ? fields.cache_control : undefined
  return isObject(mark) ? { cacheControl: mark } : {}
}

function optionsOf(packageName: string): TextOptions | undefined {
  return entryOf(documented, packageName)
}
