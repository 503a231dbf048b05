/** Tells the caller what of a request is left out, or was taken for something else. One of a gateway behind this one is passed on. */
export const warningHeader = 'x-gateway-warning'

export function warningOf(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const warning = headers[warningHeader]
  return warning === undefined ? {} : { [warningHeader]: String(warning) }
}

/** Sentences as the value of the header: ASCII, with everything else escaped as in JSON. */
export function warningText(warnings: readonly string[]): string {
  return warnings.join(' ').replace(/[^\x20-\x7e]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
