/** Name of the header that lists ignored or reinterpreted parts of a request. When the upstream
 *  is a gateway, too, its warnings are forwarded in this header. */
export const warningHeader = 'x-gateway-warning'

/** Largest number of characters of the header's value. By default, proxies such as nginx accept 4
 *  KB of headers, and Node's clients 16 KB. They would refuse an answer with more, although its
 *  work is done and charged. */
const mostCharacters = 2000
const ellipsis = '...'

export function warningOf(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const warning = headers[warningHeader]
  return warning === undefined ? {} : { [warningHeader]: String(warning) }
}

/** Returns the warnings as the value of the header, cut after 2000 characters. Characters that are
 *  not ASCII are escaped as in JSON. */
export function warningText(warnings: readonly string[]): string {
  const text = warnings.join(' ').replace(/[^\x20-\x7e]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
  if (text.length <= mostCharacters) return text
  // The cut may fall inside of an escaped character, whose beginning is left out then.
  return text.slice(0, mostCharacters - ellipsis.length).replace(/\\(u[0-9a-f]{0,3})?$/, '') + ellipsis
}
