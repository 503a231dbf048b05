/** Links in bodies: URLs of pictures, sounds, documents and servers that an upstream opens
 *  itself. */
import { isIP } from 'node:net'
import { isObject } from '../json.ts'

export interface Link {
  url: string
  /** Path of the field with the URL. */
  field: string
  /** Error code of the caller's protocol for a URL that is refused here, where the protocol has one
   *  of its own. */
  wireCode?: string
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

interface MemberVisit {
  /** Names of the members that are visited. */
  names: ReadonlySet<string>
  /** Names of members that are left out with their contents, because the caller chooses the names
   *  inside them. */
  skipped: ReadonlySet<string>
  visit(name: string, member: unknown, field: string): void
}

/** Calls `visit` for each member with one of the names in the objects of a value, at any depth.
 *  `field` is the path of the value. Paths are built only for members that are visited or contain
 *  others: a megabyte may have 100,000 members. */
export function visitMembers(value: unknown, field: string, visiting: MemberVisit): void {
  if (Array.isArray(value)) {
    for (const [index, member] of value.entries()) if (isInner(member)) visitMembers(member, `${field}[${index}]`, visiting)
    return
  }
  if (!isObject(value)) return
  const { names, skipped, visit } = visiting
  for (const name of Object.keys(value)) {
    const member = value[name]
    const isNamed = names.has(name)
    if ((!isNamed && !isInner(member)) || skipped.has(name)) continue
    const at = `${field}.${name}`
    if (isNamed) visit(name, member, at)
    if (isInner(member)) visitMembers(member, at, visiting)
  }
}

/** Returns true for a list or an object. */
export function isInner(value: unknown): boolean {
  return typeof value === 'object' && value !== null
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
