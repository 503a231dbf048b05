/** The string fields of a JSON body that may be written to disk ("spill fields"), compiled to a
 *  tree that the scanner can follow. */

export interface SpillField {
  /** Path of the field, such as `input_image`, `images[].data`, `images[]` or `content.*.url`.
   *  `[]` stands for any array item, `*` for any array item or any key. */
  path: string
  /** Largest decoded size of one value, bytes, inclusive. */
  maxBytes: number
}

/** A node in the tree of declared fields. It stands for all fields whose paths begin in the same
 *  way. */
export interface SpillNode {
  keys: Map<string, SpillNode>
  item: SpillNode | undefined
  /** Largest decoded size in bytes of the string at this node; undefined when a string at this node
   *  has to stay in the JSON. */
  maxBytes: number | undefined
}

export type PathSegment = string | number

export function compileSpillFields(fields: readonly SpillField[]): SpillNode {
  const root = emptyNode()
  for (const field of fields) {
    for (const segments of expansions(field.path)) addPath(root, segments, field.maxBytes)
  }
  return root
}

const compiled = new WeakMap<readonly SpillField[], SpillNode>()
const noFields: readonly SpillField[] = []

/** Returns the compiled fields. The result is cached by array, so the same array is compiled
 *  only once. */
export function compiledFields(fields: readonly SpillField[] = noFields): SpillNode {
  const known = compiled.get(fields)
  if (known !== undefined) return known
  const made = compileSpillFields(fields)
  compiled.set(fields, made)
  return made
}

export function childNode(node: SpillNode | undefined, segment: PathSegment): SpillNode | undefined {
  if (node === undefined) return undefined
  if (typeof segment === 'number') return node.item
  return node.keys.get(segment) ?? node.keys.get('*')
}

/** Returns `images[2].data` for `['images', 2, 'data']`. */
export function formatPath(segments: readonly PathSegment[]): string {
  let path = ''
  for (const segment of segments) {
    if (typeof segment === 'number') path += `[${segment}]`
    else path += path === '' ? segment : `.${segment}`
  }
  return path
}

/** Returns the value at this path inside a parsed value; undefined when there is none. */
export function valueAt(value: unknown, segments: readonly PathSegment[]): unknown {
  let current = value
  for (const segment of segments) {
    if (typeof current !== 'object' || current === null) return undefined
    current = Object.getOwnPropertyDescriptor(current, segment)?.value
  }
  return current
}

/** Expands each `*` into two paths: one with `[]` (any array item) and one with `*` (any key). A
 *  pattern has at most two `*`. */
function expansions(path: string): string[][] {
  let lists: string[][] = [[]]
  for (const segment of path.split(/\.|(?=\[\])/)) {
    if (segment === '') continue
    const choices = segment === '*' ? ['[]', '*'] : [segment]
    lists = lists.flatMap(list => choices.map(choice => [...list, choice]))
  }
  return lists
}

function addPath(root: SpillNode, segments: string[], maxBytes: number): void {
  let node = root
  for (const segment of segments) {
    if (segment === '[]') {
      node.item ??= emptyNode()
      node = node.item
      continue
    }
    const next = node.keys.get(segment) ?? emptyNode()
    node.keys.set(segment, next)
    node = next
  }
  node.maxBytes = Math.max(node.maxBytes ?? 0, maxBytes)
}

function emptyNode(): SpillNode {
  return { keys: new Map(), item: undefined, maxBytes: undefined }
}
