/** Translates the names of tools in namespaces. Models know only functions without namespaces.
 *  So a tool in a namespace is sent to the model under a flat name that combines both names, and
 *  in calls to the tool the caller gets its original name back. */

import { createHash } from 'node:crypto'
import { defined } from '@generation-gateway/kit/defined.ts'
import { isObject, type Json } from '@generation-gateway/kit/json.ts'

/** A tool as the caller names it. */
export type ToolName = { name: string; namespace?: string }

const legal = /^[A-Za-z0-9_-]{1,64}$/
const mostLetters = 64
const markLetters = 8

/** Maps declared tools to flat names. The names depend only on the list of tools, so they are the
 *  same each time a stored response is read. */
export class ToolNames {
  /** Maps the flat name of a tool to the caller's name. */
  readonly #full = new Map<string, ToolName>()
  /** Maps the caller's name of a tool in a namespace to its flat name, once that is known. */
  readonly #flat = new Map<string, string>()

  /** `tools` is the list of tools in the response object. */
  constructor(tools: Json) {
    const named = toolsIn(tools)
    // A tool without a namespace keeps its name, wherever it is in the list.
    for (const tool of named) if (tool.namespace === undefined) this.#full.set(tool.name, tool)
    for (const tool of named) if (tool.namespace !== undefined) this.#full.set(this.flat(tool), tool)
  }

  /** Returns the flat name of the tool, for the model: 1 to 64 letters, digits, `_` and `-`, and
   *  never the name of another tool. Also returns a name for a tool that is no longer declared. */
  flat(tool: ToolName): string {
    if (tool.namespace === undefined) return tool.name
    // An undeclared name may contain spaces. `keyOf` could then return the same text for two
    // different tools, so the map has a key of another form.
    const key = JSON.stringify([tool.namespace, tool.name])
    const known = this.#flat.get(key)
    if (known !== undefined) return known
    const flat = this.#free(`${tool.namespace}__${tool.name}`, keyOf(tool))
    this.#flat.set(key, flat)
    return flat
  }

  /** Returns the caller's name for the tool. An undeclared name is returned unchanged. */
  full(flat: string): ToolName {
    return this.#full.get(flat) ?? { name: flat }
  }

  #free(joined: string, key: string): string {
    if (legal.test(joined) && !this.#full.has(joined)) return joined
    const letters = joined.slice(0, mostLetters - markLetters - 1).replaceAll(/[^A-Za-z0-9_-]/g, '_')
    // The key may be long, so it is hashed once and each attempt adds only its number.
    const started = createHash('sha256').update(key)
    for (let mark = legal.test(joined) ? 1 : 0; ; mark++) {
      const digest = started.copy().update(` ${mark}`).digest('hex')
      const name = `${letters}_${digest.slice(0, markLetters)}`
      if (!this.#full.has(name)) return name
    }
  }
}

/** Returns the text that is hashed for the suffix of a tool's flat name. No declared name contains
 *  a space, so no two declared tools have the same text. */
function keyOf({ namespace = '', name }: ToolName): string {
  return `${namespace} ${name}`
}

function toolsIn(tools: Json, namespace?: string): ToolName[] {
  if (!Array.isArray(tools)) return []
  return tools.flatMap(tool => {
    if (!isObject(tool) || typeof tool.name !== 'string') return []
    if (tool.type === 'namespace') return toolsIn(tool.tools ?? [], tool.name)
    return [{ name: tool.name, ...defined({ namespace }) }]
  })
}
