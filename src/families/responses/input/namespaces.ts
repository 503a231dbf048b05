/** Names of tools that stand in namespaces. Models know functions only, so such a tool goes to them under one flat name, and its calls come back under its own. */

import { hash } from 'node:crypto'
import { defined } from '@generation-gateway/kit/defined.ts'
import { isObject, type Json } from '@generation-gateway/kit/json.ts'

/** A tool as the caller names it. */
export type ToolName = { name: string; namespace?: string }

const legal = /^[A-Za-z0-9_-]{1,64}$/
const mostLetters = 64
const markLetters = 8

/** The flat names of declared tools. They follow from the list alone, so they are the same at every reading of a stored response. */
export class ToolNames {
  /** Flat name -> the caller's. */
  readonly #full = new Map<string, ToolName>()
  /** The caller's -> flat name, of tools in namespaces. */
  readonly #flat = new Map<string, string>()

  /** `tools` as the response repeats them. */
  constructor(tools: Json) {
    const named = toolsIn(tools)
    // A tool without a namespace keeps its name, wherever it stands in the list.
    for (const tool of named) if (tool.namespace === undefined) this.#full.set(tool.name, tool)
    for (const tool of named) {
      if (tool.namespace === undefined) continue
      const flat = this.flat(tool)
      this.#flat.set(keyOf(tool), flat)
      this.#full.set(flat, tool)
    }
  }

  /** What the model calls it: 1 to 64 letters, digits, `_` and `-`, and never another tool's name. Also for a tool that is declared no more. */
  flat(tool: ToolName): string {
    if (tool.namespace === undefined) return tool.name
    return this.#flat.get(keyOf(tool)) ?? this.#free(`${tool.namespace}__${tool.name}`, keyOf(tool))
  }

  /** What the caller calls it. A name that nobody has declared stays as it is. */
  full(flat: string): ToolName {
    return this.#full.get(flat) ?? { name: flat }
  }

  #free(joined: string, key: string): string {
    for (let mark = 0; ; mark++) {
      const name = mark === 0 && legal.test(joined) ? joined : marked(joined, `${key} ${mark}`)
      if (!this.#full.has(name)) return name
    }
  }
}

function marked(joined: string, of: string): string {
  const letters = joined.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, mostLetters - markLetters - 1)
  return `${letters}_${hash('sha256', of, 'hex').slice(0, markLetters)}`
}

/** No name has a space. */
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
