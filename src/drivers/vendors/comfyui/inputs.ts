/** Finds the places of a workflow where the parts of a request are written: by the operator's map,
 *  by the titles of nodes, or by placeholders in texts. */
import { exactNumber, type Json, type JsonObject } from '@generation-gateway/kit/json.ts'
import { type InputName, inputNames, type TargetFacts } from './settings.ts'
import { isValue, nodesNamed, plain, type Workflow, type WorkflowNode } from './workflow.ts'

interface InputPlace {
  node: string
  input: string
}

/** The facts that are needed to run the workflow, from its file and from the settings of the
 *  target. */
export interface WorkflowPlan {
  workflow: Workflow
  /** Inputs of the workflow by the name of the request part. A part may have several inputs, for
   *  example in models with two text encoders. */
  places: ReadonlyMap<InputName, readonly InputPlace[]>
  /** Names of request parts that occur as `{{name}}` in a text. */
  placeholders: ReadonlySet<InputName>
  values: readonly { place: InputPlace; value: Json }[]
  /** Ids of the nodes whose pictures are returned, in the order of the file. */
  outputs: readonly string[]
}

/** Values for the inputs. A seed is given as its decimal digits. */
export type InputValues = Partial<Record<InputName, string | number>>

/** Node titles that stand for a name, and the inputs of such a node that may hold the value; the
 *  first existing one is used. */
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

/** Returns the plan of a target, or a sentence that says why its settings do not fit its
 *  workflow. */
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

/** Returns true when the workflow has an input for the name. */
export function takes(plan: WorkflowPlan, name: InputName): boolean {
  return plan.places.has(name) || plan.placeholders.has(name)
}

/** Returns the name of the request part that is written to this input; undefined for other inputs.
 *  The name decides whether a refusal of the input blames the request. */
export function nameAt({ places, workflow }: WorkflowPlan, node: string, input: string): InputName | undefined {
  for (const [name, found] of places) if (found.some(place => place.node === node && place.input === input)) return name
  const text = workflow.nodes.find(({ id }) => id === node)?.inputs[input]
  const [, word] = typeof text === 'string' ? (wholePlaceholder.exec(text) ?? []) : []
  return inputNames.find(name => name === word)
}

/** Returns the graph to run, with the values in their places; the plan is not changed. `runId` is
 *  added to the names of the output files: otherwise the server's cache would return the file of an
 *  earlier identical run, which may have been deleted. */
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
  // Nodes are not searched by the title "model": such a node usually loads a model file, whose name
  // may differ from the target's name for its model.
  if (name === 'model') return []
  const { titles, inputs } = wellKnown[name]
  return nodes.flatMap(node => {
    if (!titles.includes(plain(node.title))) return []
    const input = inputs.find(each => isValue(node.inputs[each]))
    return input === undefined ? [] : [{ node: node.id, input }]
  })
}

/** Returns the inputs that `where` names as `<node id or title>.<input>`. A title may contain dots,
 *  an input may not. */
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

/** Returns the text with its placeholders replaced in one pass, so that placeholders in a caller's
 *  text are not replaced. Unknown placeholders stay. */
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
