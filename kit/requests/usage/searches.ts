/** Determines the number of web searches that an upstream makes for an answer: how many a request
 *  allows, how many the answer shows, and how many its usage reports. The rules of each provider,
 *  with their sources: docs/vendors/openai-responses.md#searches,
 *  docs/vendors/openai-chat.md#searches and docs/vendors/gemini.md#searches. */
import { createHash } from 'node:crypto'
import { type Json, type JsonObject, listOf, objectOf, objectsOf, textOf } from '../../json.ts'

/** Number of searches that are reserved in the quota for a tool when the caller sets no limit. */
const usualSearches = 10
/** Largest number of searches that are reserved in the quota for a tool. */
const mostHeld = 10_000

/** Longest key in characters that is stored unchanged; a longer one is stored as its hash. */
const longestKey = 100
/** Largest number of different searches that are remembered. After that, every further key counts
 *  as a new search. */
const mostKeys = 10_000

/** Counts the different searches of one answer that arrives in parts. The parts may repeat a
 *  search, so each search is identified by a key. */
export class SeenSearches {
  readonly #keys = new Set<string>()
  #more = 0

  get count(): number {
    return this.#keys.size + this.#more
  }

  /** Adds the searches of a part, each by its key; a key counts once. */
  add(keys: readonly string[]): void {
    for (const key of keys) {
      if (this.#keys.size >= mostKeys) this.#more += 1
      else this.#keys.add(key.length > longestKey ? createHash('sha256').update(key).digest('base64') : key)
    }
  }
}

/** Returns the number of different searches that a whole answer shows. */
export function searchesShown(keys: readonly string[]): number {
  if (keys.length === 0) return 0
  const seen = new SeenSearches()
  seen.add(keys)
  return seen.count
}

/** Returns the usage. When it counts fewer searches than the answer shows (`shown`), the result
 *  has that number instead. */
export function withSearches<Usage extends { searches?: number }>(usage: Usage, shown: number): Usage {
  return shown > (usage.searches ?? 0) ? { ...usage, searches: shown } : usage
}

/** Returns the keys of the searches in a response, or in the event that ends one of its items.
 *  Pages that the model opens or reads are free and not counted. A `web_search_call` without an
 *  action counts as a search. */
export function responsesSearches({ type, item, output, output_index: index }: JsonObject): string[] {
  const isItem = type === 'response.output_item.done'
  const items = isItem ? [item] : listOf(output)
  return items.flatMap((each, at) => {
    const { type: kind, id, action } = objectOf(each)
    const isSearch = kind === 'web_search_call' && (textOf(objectOf(action).type) ?? 'search') === 'search'
    return isSearch ? [textOf(id) ?? `item ${isItem ? index : at}`] : []
  })
}

/** Returns the keys of the searches in a chat completion or in a chunk of one. Groq lists the tools
 *  that it has run. OpenAI's search models make exactly one search, which is recognized by the
 *  citations in the answer. */
export function chatSearches({ choices }: JsonObject): string[] {
  return objectsOf(choices).flatMap(({ index, message, delta }) => {
    const { annotations, executed_tools: tools } = objectOf(message ?? delta)
    const ran = objectsOf(tools).flatMap((tool, at) => (isSearchTool(tool.type) ? [`tool ${index} ${tool.index ?? at}`] : []))
    return objectsOf(annotations).some(({ type }) => type === 'url_citation') ? [...ran, 'cited'] : ran
  })
}

/** Matches the names of Groq's tools that search: `search`, `browser.search`, `browser_search`. */
const searchTool = /(?:^|[._])search$/

function isSearchTool(type: Json | undefined): boolean {
  return typeof type === 'string' && searchTool.test(type)
}

/** Matches Google's models for which a prompt with any number of searches is charged once. Other
 *  models are charged for each search. */
const chargedByPrompt = /(?:^|\/)gemini-[12]\./

/** Returns the keys of the searches in an answer of generateContent, or in a piece of one: its
 *  queries that are not empty, or one key for a model that is charged for each prompt. */
export function contentSearches({ candidates, modelVersion }: JsonObject): string[] {
  const grounding = objectsOf(candidates).map(({ groundingMetadata }) => objectOf(groundingMetadata))
  return groundingSearches(grounding, modelVersion)
}

/** Returns the keys of the searches in Google's metadata about the sources of an answer. */
export function groundingSearches(grounding: readonly JsonObject[], model: Json | undefined): string[] {
  const queries = ['webSearchQueries', 'imageSearchQueries'].flatMap(name =>
    grounding.flatMap(each => listOf(each[name]).flatMap(query => (textOf(query)?.trim() ? [`${name} ${query}`] : []))),
  )
  return queries.length > 0 && chargedByPrompt.test(String(model)) ? ['prompt'] : queries
}

/** Returns the number of searches that the usage in an answer of OpenAI's protocols reports. OpenAI
 *  itself reports none; other services use different names for the number. */
export function countedSearches(usage: JsonObject): Json | undefined {
  return [
    // The names of OpenRouter and LiteLLM. The first one is also Anthropic's.
    objectOf(usage.server_tool_use).web_search_requests,
    objectOf(usage.prompt_tokens_details).web_search_requests,
    // The names of Perplexity, xAI and Ark.
    usage.num_search_queries,
    objectOf(usage.server_side_tool_usage_details).web_search_calls,
    objectOf(usage.tool_usage).web_search,
  ].find(count => typeof count === 'number' && count > 0)
}

/** Returns the number of searches that the tools in a body of Messages allow. */
export function messagesAllow({ tools }: JsonObject): number {
  const limits = searchTools(tools).map(({ max_uses: most }) => limitOr(most))
  return limits.reduce((sum, limit) => sum + limit, 0)
}

/** Returns the searches that a body of Responses allows. */
export function responsesAllow({ tools, max_tool_calls: most }: JsonObject): number {
  return searchTools(tools).length > 0 ? limitOr(most) : 0
}

/** Returns the searches that a body of chat completions allows. */
export function chatAllows({ tools, web_search_options: options }: JsonObject): number {
  if (objectsOf(tools).some(({ type }) => isSearchTool(type))) return usualSearches
  return (options ?? null) === null ? 0 : 1
}

const contentTools = ['googleSearch', 'google_search', 'googleSearchRetrieval', 'google_search_retrieval']

/** Returns the searches that a body of generateContent allows. */
export function contentAllows({ tools }: JsonObject): number {
  return objectsOf(tools).some(tool => contentTools.some(name => (tool[name] ?? null) !== null)) ? usualSearches : 0
}

/** Returns the tools that search the web: `web_search`, `web_search_20250305`,
 *  `web_search_preview`. */
function searchTools(tools: Json | undefined): JsonObject[] {
  return objectsOf(tools).filter(({ type }) => typeof type === 'string' && /^web_search(?:_|$)/.test(type))
}

function limitOr(most: Json | undefined): number {
  return typeof most === 'number' && most > 0 ? Math.ceil(Math.min(most, mostHeld)) : usualSearches
}
