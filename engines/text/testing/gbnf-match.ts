import { rulesOf } from './gbnf-regex.ts'

type Node =
  | { kind: 'text'; text: string }
  | { kind: 'chars'; regex: RegExp }
  | { kind: 'rule'; name: string }
  | { kind: 'sequence' | 'choice'; items: Node[] }
  | { kind: 'repeat'; item: Node; min: number; max: number }

const token = /"((?:[^"\\]|\\.)*)"|(\[(?:[^\]\\]|\\.)*\])|([a-zA-Z][a-zA-Z0-9-]*)|\{(\d+)(,?)(\d*)\}|([()|*+?])/g
const escapes = /\\(x[0-9A-F]{2}|u[0-9A-F]{4}|U[0-9A-F]{8}|.)/g

/** Returns a function that checks whether a whole text matches a rendered grammar. The rules of the
 *  grammar may be recursive. */
export function gbnfMatcher(grammar: string): (text: string) => boolean {
  const rules = new Map([...rulesOf(grammar)].map(([name, body]) => [name, parse(body)]))
  return text => {
    const known = new Map<Node, Map<number, Set<number>>>()
    const ends = (node: Node, at: number): Set<number> => {
      const places = known.get(node) ?? new Map<number, Set<number>>()
      known.set(node, places)
      const found = places.get(at) ?? endsOf(node, at)
      places.set(at, found)
      return found
    }
    const all = (node: Node, from: Iterable<number>): Set<number> => new Set([...from].flatMap(at => [...ends(node, at)]))
    const endsOf = (node: Node, at: number): Set<number> => {
      switch (node.kind) {
        case 'text':
          return new Set(text.startsWith(node.text, at) ? [at + node.text.length] : [])
        case 'chars': {
          const char = at < text.length ? String.fromCodePoint(text.codePointAt(at) ?? 0) : ''
          return new Set(node.regex.test(char) ? [at + char.length] : [])
        }
        case 'rule': {
          const body = rules.get(node.name)
          if (!body) throw new Error(`no rule ${node.name}`)
          return ends(body, at)
        }
        case 'sequence':
          return node.items.reduce((from, item) => all(item, from), new Set([at]))
        case 'choice':
          return new Set(node.items.flatMap(item => [...ends(item, at)]))
        case 'repeat': {
          let last = new Set([at])
          const found = new Set(node.min === 0 ? [at] : [])
          for (let count = 1; count <= node.max && last.size > 0; count += 1) {
            last = new Set([...all(node.item, last)].filter(end => !found.has(end)))
            if (count >= node.min) for (const end of last) found.add(end)
          }
          return found
        }
      }
    }
    return ends({ kind: 'rule', name: 'root' }, 0).has(text.length)
  }
}

function parse(body: string): Node {
  const tokens = [...body.matchAll(token)]
  let at = 0
  const choice = (): Node => {
    const options: Node[] = []
    do options.push(sequence())
    while (tokens[at]?.[7] === '|' && ++at)
    return options.length === 1 && options[0] ? options[0] : { kind: 'choice', items: options }
  }
  const sequence = (): Node => {
    const items: Node[] = []
    for (let next = tokens[at]; next && next[7] !== '|' && next[7] !== ')'; next = tokens[at]) {
      at += 1
      const [, text, chars, name, min, comma, max, sign] = next
      if (text !== undefined) items.push({ kind: 'text', text: unescaped(text) })
      else if (chars !== undefined)
        items.push({ kind: 'chars', regex: new RegExp(`^${chars.replace(/\\[xuU]0*([0-9A-F]+)/g, '\\u{$1}')}$`, 'u') })
      else if (name !== undefined) items.push({ kind: 'rule', name })
      else if (sign === '(') {
        items.push(choice())
        at += 1
      } else {
        const most = sign === '?' || (min !== undefined && comma === '') ? Number(min ?? 1) : max ? Number(max) : Number.POSITIVE_INFINITY
        const item = items.pop()
        if (item) items.push({ kind: 'repeat', item, min: sign === '+' ? 1 : Number(min ?? 0), max: most })
      }
    }
    return { kind: 'sequence', items }
  }
  return choice()
}

function unescaped(literal: string): string {
  return literal.replace(escapes, (_, code: string) =>
    code.length > 1 ? String.fromCodePoint(Number.parseInt(code.slice(1), 16)) : code === 'n' ? '\n' : code,
  )
}
