/** Links in bodies: URLs of pictures, sounds, documents and servers that an upstream opens
 *  itself. */
import { isIP } from 'node:net'
import { isObject } from '../json.ts'

export interface Link {
  url: string
  /** Path of the field with the URL. */
  field: string
}

/** Matches a character that base64 does not have, in either alphabet. */
const notBase64 = /[^A-Za-z0-9+/=_-]/
/** Number of characters at the beginning of a text by which base64 is recognized. */
const headCharacters = 100
/** Matches a URL whose host all parsers find at the same place: before the path it has no
 *  backslash, no credentials and no white space. */
const plainLink = /^https?:\/\/[^\s\\@/?#]+(?:[/?#]|$)/i
/** Matches names below those that are reserved for private networks. */
const privateNames = /\.(?:localhost|local|internal|home\.arpa)$/

/** Adds the link that a member contains: a text, an object with the text as `url`, or a list of
 *  these. Data URLs and bare base64 are not links. */
export function addLink(links: Link[], value: unknown, field: string): void {
  if (typeof value === 'string') {
    if (isLink(value)) links.push({ url: value, field })
  } else if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) addLink(links, each, `${field}[${index}]`)
  } else if (isObject(value) && value.url !== undefined) addLink(links, value.url, `${field}.url`)
}

/** Adds the links in the members with these names. `at` returns the path of the object; it is
 *  called only for a link, because most parts of a conversation have none. */
export function addLinksOf(links: Link[], value: unknown, { names, at }: { names: readonly string[]; at: () => string }): void {
  if (!isObject(value)) return
  for (const name of names) {
    const member = value[name]
    if (member !== undefined && hasLink(member)) addLink(links, member, `${at()}.${name}`)
  }
}

function hasLink(value: unknown): boolean {
  if (typeof value === 'string') return isLink(value)
  return Array.isArray(value) ? value.some(hasLink) : isObject(value) && hasLink(value.url)
}

function isLink(text: string): boolean {
  return !text.startsWith('data:') && notBase64.test(text.slice(0, headCharacters)) && !/^\s*data:/i.test(text)
}

/** Calls `visit` for each member of the objects in a value, at any depth. The members in `skipped`
 *  and their contents are left out: the caller chooses the names inside them. */
export function visitMembers(
  value: unknown,
  field: string,
  { skipped, visit }: { skipped: readonly string[]; visit: (name: string, member: unknown, field: string) => void },
): void {
  if (Array.isArray(value)) {
    for (const [index, member] of value.entries()) visitMembers(member, `${field}[${index}]`, { skipped, visit })
    return
  }
  if (!isObject(value)) return
  for (const [name, member] of Object.entries(value)) {
    if (skipped.includes(name)) continue
    const at = `${field}.${name}`
    visit(name, member, at)
    visitMembers(member, at, { skipped, visit })
  }
}

/** Returns true for an http or https URL in which all parsers find the same host. */
export function isPlainLink(url: string): boolean {
  return plainLink.test(url)
}

/** Returns true for the host name of a private network: one without a dot, or one below a name that
 *  is reserved for private networks. False for addresses. */
export function isPrivateName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '')
  return isIP(name.replace(/^\[|\]$/g, '')) === 0 && (!name.includes('.') || privateNames.test(name))
}
