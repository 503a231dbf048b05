import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type Document, isMap, isScalar, LineCounter, type Node, parseDocument, visit, type YAMLError } from 'yaml'

/** Position of a value in the file: `['accounts', 0, 'id']`. */
export type ValuePath = (string | number)[]

export interface ParsedYaml {
  /** The parsed value; undefined for an empty file. */
  value: unknown
  /** Returns the line of a value as text, such as `, line 7`. A missing field has no line, so the
   *  line of its parent is used. */
  lineOf(steps: ValuePath): string
}

/** Replacements for the library's messages of these errors. The library's messages may repeat text
 *  of the file, which may be a mistyped secret. */
const sentences: Readonly<Partial<Record<YAMLError['code'], string>>> = {
  BAD_DIRECTIVE: 'A directive, which is a line that begins with %, is wrong',
  BAD_DQ_ESCAPE: 'A text in double quotes has a backslash before a character that cannot follow one',
  TAG_RESOLVE_FAILED: 'A tag, which is a word that begins with !, is wrong, or does not fit its value',
  UNEXPECTED_TOKEN: 'A character or a word is where YAML does not allow one; quotes may be missing',
}

/** Parses the text of a YAML file. Throws `invalid_request` with the path, the line and the reason,
 *  which repeats nothing of the text. */
export function parseYaml(path: string, text: string): ParsedYaml {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' })
  const refusal = (offset: number, reason: string) =>
    new GatewayError('invalid_request', `${path}, line ${lines.linePos(offset).line}: ${reason}.`)
  const fault = document.errors[0]
  if (fault) throw refusal(fault.pos[0], sentences[fault.code] ?? fault.message)
  checkAliases(document, refusal)
  try {
    return { value: document.toJS(), lineOf: steps => lineOf(document, lines, steps) }
  } catch {
    throw new GatewayError('invalid_request', `${path}: its aliases repeat too many values, or << has something other than a map.`)
  }
}

/** Checks the aliases of a document. Throws the error that `refusal` returns for an alias without
 *  an earlier anchor of the same name, and for an alias inside the value to which it refers. */
function checkAliases(document: Document, refusal: (offset: number, reason: string) => GatewayError): void {
  const anchors = new Map<string, Node>()
  visit(document, {
    Value: (_key, node) => {
      if (node.anchor !== undefined) anchors.set(node.anchor, node)
    },
    Alias: (_key, alias, parents) => {
      const offset = alias.range?.[0] ?? 0
      const found = anchors.get(alias.source)
      if (found === undefined)
        throw refusal(offset, 'A value begins with *, and no & with the same name is before it; quotes may be missing')
      if (parents.includes(found)) throw refusal(offset, 'An alias is inside the value to which it refers')
    },
  })
}

function lineOf(document: Document, lines: LineCounter, steps: ValuePath): string {
  for (let length = steps.length; length > 0; length--) {
    const parent: unknown = document.getIn(steps.slice(0, length - 1), true)
    const key = isMap(parent) ? parent.items.find(item => isScalar(item.key) && item.key.value === steps[length - 1])?.key : undefined
    const node: unknown = key ?? document.getIn(steps.slice(0, length), true)
    const { range } = Object(node)
    if (Array.isArray(range)) return `, line ${lines.linePos(range[0]).line}`
  }
  return ''
}
