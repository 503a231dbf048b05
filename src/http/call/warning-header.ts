/** Name of the header that lists ignored or reinterpreted parts of a request. When the upstream
 *  is a gateway, too, its warnings are forwarded in this header. */
export const warningHeader = 'x-gateway-warning'

export function warningOf(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const warning = headers[warningHeader]
  return warning === undefined ? {} : { [warningHeader]: String(warning) }
}

/** Returns the warnings as the value of the header. Characters that are not ASCII are escaped as
 *  in JSON. */
export function warningText(warnings: readonly string[]): string {
  return warnings.join(' ').replace(/[^\x20-\x7e]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
