/** Finds the inputs of a workflow into which the parts of a request (prompt, seed, sizes and so on)
 *  are written. They are found by the operator's settings, by the titles of nodes, or by
 *  placeholders in texts. */
import { exactNumber, type Json, type JsonObject } from '@generation-gateway/kit/json.ts'
import { type InputName, inputNames, type TargetFacts } from './settings.ts'
import { isValue, nodesNamed, plain, type Workflow, type WorkflowNode } from './workflow.ts'

interface InputPlace {
  node: string
  input: string
}

/** All facts needed to run the workflow of a target, derived from the workflow file and the
 *  target's settings. */
export interface WorkflowPlan {
  workflow: Workflow
  /** Inputs of the workflow by request part. One part may have several inputs: models with two text
   *  encoders, for example, have two for the prompt. */
  places: ReadonlyMap<InputName, readonly InputPlace[]>
  /** Request parts whose name occurs in a text of the workflow as the placeholder `{{name}}`. */
  placeholders: ReadonlySet<InputName>
  values: readonly { place: InputPlace; value: Json }[]
  /** Ids of the nodes whose pictures are returned, in the order of the workflow file. */
  outputs: readonly string[]
}

/** Values to write into the workflow. A seed is a string of decimal digits. */
export type InputValues = Partial<Record<InputName, string | number>>

/** For each request part: the titles of nodes that hold it, and the names of inputs that may
 *  contain its value. The first of these inputs that the node has is used. */
const wellKnown: Readonly<Record<Exclude<InputName, 'model'>, { titles: readonly string[]; inputs: readonly string[] }>> = {
  prompt: { titles: ['prompt', 'positive', 'positive prompt'], inputs: ['text', 'prompt', 'value', 'string'] },
  negative_prompt: { titles: ['negative', 'negative prompt'], inputs: ['text', 'prompt', 'value', 'string'] },
  seed: { titles: ['seed', 'ksampler', 'random noise', 'randomnoise'], inputs: ['seed', 'noise_seed', 'value', 'int'] },
  width: { titles: ['width', 'size', 'empty latent image'], inputs: ['width', 'value', 'int'] },
  height: { titles: ['height', 'size', 'empty latent image'], inputs: ['height', 'value', 'int'] },
  batch_size: { titles: ['batch size', 'batch', 'count', 'size', 'empty latent image'], inputs: ['batch_size', 'value', 'int'] },
  image: { titles: ['image', 'input image'], inputs: ['image'] },
}
const runIdLength = 8
const placeholder = /\{\{\s*(\w+)\s*\}\}/g
const wholePlaceholder = /^\s*\{\{\s*(\w+)\s*\}\}\s*$/

/** Returns the plan of a target; or a problem, a sentence that says why the target's settings do
 *  not fit its workflow. */
export function planOf(workflow: Workflow, { inputs, values, output }: TargetFacts): WorkflowPlan | { problem: string } {
  const places = new Map<InputName, InputPlace[]>()
  for (const name of inputNames) {
    const found = inputs === undefined ? byTitle(workflow, name) : placesAt(workflow, `inputs.${name}`, inputs[name])
    if ('problem' in found) return found
    if (found.length > 0) places.set(name, found)
  }
  const fixed: { place: InputPlace; value: Json }[] = []
  for (const [where, value] of Object.entries(values)) {
    const found = placesAt(workflow, 'values', where)
    if ('problem' in found) return found
    for (const place of found) fixed.push({ place, value: value ?? null })
  }
  const outputs = output === undefined ? workflow.nodes.filter(({ classType }) => classType === 'SaveImage') : nodesNamed(workflow, output)
  if (outputs.length === 0)
    return problemOf(
      output === undefined
        ? 'the workflow has no SaveImage node; name the node whose pictures count in output.'
        : `output: the workflow has no node ${quoted(output)}.`,
    )
  return { workflow, places, placeholders: placeholdersOf(workflow), values: fixed, outputs: outputs.map(({ id }) => id) }
}

/** Returns true when the workflow has an input or a placeholder for this request part. */
export function takes(plan: WorkflowPlan, name: InputName): boolean {
  return plan.places.has(name) || plan.placeholders.has(name)
}

/** Returns the request part that is written to this input; undefined for other inputs. When the
 *  server refuses a value, the result shows whether the request or the workflow is at fault. */
export function nameAt({ places, workflow }: WorkflowPlan, node: string, input: string): InputName | undefined {
  for (const [name, found] of places) if (found.some(place => place.node === node && place.input === input)) return name
  const text = workflow.nodes.find(({ id }) => id === node)?.inputs[input]
  const [, word] = typeof text === 'string' ? (wholePlaceholder.exec(text) ?? []) : []
  return inputNames.find(name => name === word)
}

/** Returns a copy of the workflow's graph with the values written into it. `runId` is appended to
 *  the names of output files. Without that, the server would answer an identical run from its
 *  cache, with the name of an older file that may have been deleted. */
export function filled({ workflow, places, values: fixed, outputs }: WorkflowPlan, values: InputValues, runId: string): JsonObject {
  const graph: Record<string, JsonObject & { inputs: JsonObject }> = {}
  for (const { id, raw, inputs } of workflow.nodes) {
    const own: JsonObject = {}
    for (const [name, value] of Object.entries(inputs)) own[name] = typeof value === 'string' ? replaced(value, values) : value
    graph[id] = { ...raw, inputs: own }
  }
  const put = ({ node, input }: InputPlace, value: Json) => {
    const found = graph[node]
    if (found) found.inputs[input] = value
  }
  for (const { place, value } of fixed) put(place, value)
  for (const [name, found] of places) {
    const value = jsonOf(name, values)
    if (value !== undefined) for (const place of found) put(place, value)
  }
  for (const id of outputs) {
    const inputs = graph[id]?.inputs
    if (typeof inputs?.filename_prefix === 'string') inputs.filename_prefix += `-${runId.slice(0, runIdLength)}`
  }
  return graph
}

function byTitle({ nodes }: Workflow, name: InputName): InputPlace[] {
  // For `model`, nodes are not searched by title: a node with the title "model" usually loads a
  // model file, and that file's name may differ from the target's model name.
  if (name === 'model') return []
  const { titles, inputs } = wellKnown[name]
  return nodes.flatMap(node => {
    if (!titles.includes(plain(node.title))) return []
    const input = inputs.find(each => isValue(node.inputs[each]))
    return input === undefined ? [] : [{ node: node.id, input }]
  })
}

/** Returns the inputs to which a setting of the form `<node id or title>.<input>` refers. The text
 *  is split at its last dot, because titles may contain dots. */
function placesAt(workflow: Workflow, setting: string, where: string | undefined): InputPlace[] | { problem: string } {
  if (where === undefined) return []
  const dot = where.lastIndexOf('.')
  if (dot < 1) return problemOf(`${setting}: ${quoted(where)} has no dot between node and input.`)
  const name = where.slice(0, dot)
  const input = where.slice(dot + 1)
  const nodes = nodesNamed(workflow, name)
  if (nodes.length === 0) return problemOf(`${setting}: the workflow has no node ${quoted(name)}.`)
  const broken = nodes.map(node => inputProblem(node, input)).find(found => found !== undefined)
  return broken === undefined ? nodes.map(({ id }) => ({ node: id, input })) : problemOf(`${setting}: ${broken}`)
}

function inputProblem({ title, inputs }: WorkflowNode, input: string): string | undefined {
  if (!Object.hasOwn(inputs, input)) return `the node ${quoted(title)} has no input ${quoted(input)}.`
  return isValue(inputs[input]) ? undefined : `the input ${quoted(input)} of the node ${quoted(title)} comes from another node.`
}

function placeholdersOf({ nodes }: Workflow): Set<InputName> {
  const found = new Set<InputName>()
  for (const { inputs } of nodes)
    for (const value of Object.values(inputs)) {
      if (typeof value !== 'string') continue
      for (const [, word] of value.matchAll(placeholder)) for (const name of inputNames) if (name === word) found.add(name)
    }
  return found
}

/** Returns the text with its placeholders replaced by values. All are replaced in one pass, so that
 *  a placeholder inside a caller's prompt stays as it is. Unknown placeholders stay, too. */
function replaced(text: string, values: InputValues): Json {
  const [, only] = wholePlaceholder.exec(text) ?? []
  const name = inputNames.find(each => each === only)
  if (name !== undefined) return jsonOf(name, values) ?? ''
  return text.replaceAll(placeholder, (whole, word: string) => {
    const known = inputNames.find(each => each === word)
    return known === undefined ? whole : String(values[known] ?? '')
  })
}

function jsonOf(name: InputName, values: InputValues): string | number | undefined {
  const value = values[name]
  return name === 'seed' && typeof value === 'string' ? exactNumber(value) : value
}

function problemOf(words: string): { problem: string } {
  return { problem: `Settings of the driver comfyui: ${words}` }
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 100))
}
