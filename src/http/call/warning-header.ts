/** Tells the caller what of a request is left out. One of a gateway behind this one is passed on. */
export const warningHeader = 'x-gateway-warning'

export function warningOf(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const warning = headers[warningHeader]
  return warning === undefined ? {} : { [warningHeader]: String(warning) }
}
