/** Converts a GBNF expression without recursion to a JavaScript regular expression that matches a
 *  whole text. Tests use it to check which texts a grammar allows. */
export function gbnfToRegex(expression: string, rules: ReadonlyMap<string, string> = new Map()): RegExp {
  return new RegExp(`^(?:${translate(expression, rules)})$`, 'u')
}

/** Returns the rules of a rendered grammar by name. */
export function rulesOf(grammar: string): Map<string, string> {
  return new Map(grammar.split('\n').map(line => [line.slice(0, line.indexOf(' ::= ')), line.slice(line.indexOf(' ::= ') + 5)]))
}

const tokens = /"((?:[^"\\]|\\.)*)"|\[((?:[^\]\\]|\\.)*)\]|([a-zA-Z][a-zA-Z0-9-]*)|(\{\d+(?:,\d*)?\}|[()|*+?])|\s+/gy

function translate(expression: string, rules: ReadonlyMap<string, string>): string {
  let text = ''
  for (const [, literal, characters, name, sign] of expression.matchAll(tokens)) {
    if (literal !== undefined)
      text += `(?:${[...unescaped(literal)].map(char => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`).join('')})`
    else if (characters !== undefined)
      text += `[${characters.replace(/\\U([0-9A-F]{8})/g, (_, code: string) => `\\u{${code.replace(/^0+(?=.)/, '')}}`)}]`
    else if (name !== undefined) text += `(?:${translate(rules.get(name) ?? '', rules)})`
    else if (sign !== undefined) text += sign === '(' ? '(?:' : sign
  }
  return text
}

function unescaped(literal: string): string {
  return literal.replace(/\\(x[0-9A-F]{2}|u[0-9A-F]{4}|U[0-9A-F]{8}|.)/g, (_, code: string) =>
    code.length > 1 ? String.fromCodePoint(Number.parseInt(code.slice(1), 16)) : code === 'n' ? '\n' : code,
  )
}
