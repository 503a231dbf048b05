/** Reads workflow files in ComfyUI's API format, which lists class, title and inputs of each node
 *  by node id. */
import { readFileSync, statSync } from 'node:fs'
import { exactNumber, isObject, type Json, type JsonObject, objectOf, textOf } from '@generation-gateway/kit/json.ts'

export interface WorkflowNode {
  id: string
  classType: string
  /** Title of the node in ComfyUI's editor; the node's class when the file contains no title. */
  title: string
  inputs: JsonObject
  /** The whole node from the file. */
  raw: JsonObject
}

export interface Workflow {
  nodes: readonly WorkflowNode[]
}

/** A workflow, or a sentence that says why it cannot be read. */
type WorkflowRead = { workflow: Workflow } | { problem: string }

export interface WorkflowFiles {
  /** Returns the workflow in the file. Each call checks whether the file has changed, and reads it
   *  again only then. */
  read(path: string): WorkflowRead
}

const maxFileBytes = 8 * 1024 * 1024
const tooLarge = { problem: `The workflow file of the driver comfyui has more than ${maxFileBytes} bytes.` }

/** Creates a cache of workflow files. The files are read synchronously, because the router needs to
 *  know at once whether a target is usable; they are small and local. */
export function workflowFiles(): WorkflowFiles {
  const known = new Map<string, { version: string; read: WorkflowRead }>()
  return {
    read: path => {
      try {
        const { mtimeMs, size, ino } = statSync(path)
        const version = `${mtimeMs} ${size} ${ino}`
        const found = known.get(path)
        if (found?.version === version) return found.read
        const read = size > maxFileBytes ? tooLarge : parseWorkflow(readFileSync(path, 'utf8'))
        known.set(path, { version, read })
        return read
      } catch (error) {
        return { problem: `The workflow file of the driver comfyui cannot be read (${codeOf(error)}).` }
      }
    },
  }
}

/** Parses a workflow. Integers beyond the safe range keep their digits. */
function parseWorkflow(text: string): WorkflowRead {
  let parsed: unknown
  try {
    parsed = parseExact(text)
  } catch {
    return { problem: 'The workflow file of the driver comfyui is no JSON.' }
  }
  const entries = Object.entries(objectOf(parsed))
  if (Array.isArray(objectOf(parsed).nodes))
    return { problem: "The workflow file of the driver comfyui has the editor's own format; save it by Export (API)." }
  const nodes: WorkflowNode[] = []
  for (const [id, raw] of entries) {
    const classType = textOf(objectOf(raw).class_type)
    if (!isObject(raw) || classType === undefined)
      return { problem: `The workflow file of the driver comfyui has something that is no node: ${JSON.stringify(id.slice(0, 50))}.` }
    nodes.push({ id, classType, title: textOf(objectOf(raw._meta).title) ?? classType, inputs: objectOf(raw.inputs), raw })
  }
  if (nodes.length === 0) return { problem: 'The workflow file of the driver comfyui has no nodes.' }
  return { workflow: { nodes } }
}

/** Returns the nodes to which a name in the operator's settings refers: the node with that id;
 *  without one, all nodes with that title, ignoring case. */
export function nodesNamed({ nodes }: Workflow, name: string): WorkflowNode[] {
  const byId = nodes.find(({ id }) => id === name)
  return byId ? [byId] : nodes.filter(({ title }) => plain(title) === plain(name))
}

/** Returns a title in the form in which titles are compared: `Negative_Prompt ` becomes `negative
 *  prompt`. */
export function plain(title: string): string {
  return title
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
}

/** Returns true when an input contains a value. Otherwise it is missing, or a link to another
 *  node's output, `[node id, output]`. */
export function isValue(input: Json | undefined): boolean {
  return input !== undefined && input !== null && !Array.isArray(input)
}

/** The reviver of `JSON.parse`. Node 26 passes its third parameter, but the type library does not
 *  declare that parameter yet. */
type SourceReviver = (key: string, value: unknown, context: { source?: string }) => unknown

function parseExact(text: string): unknown {
  const keepDigits: SourceReviver = (_key, value, { source }) => {
    const isBeyond = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
    return isBeyond && source !== undefined && /^-?\d+$/.test(source) ? exactNumber(source) : value
  }
  return JSON.parse(text, keepDigits as Parameters<typeof JSON.parse>[1])
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
}
