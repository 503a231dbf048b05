/** Reads the items of feeds and lists: RSS, Atom, JSON Feed, and other JSON whose members a
 *  mapping names. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { XMLParser } from 'fast-xml-parser'
import { plain, unescapedOnce, withEscapedSigns } from './markup.ts'
import { countOf } from './numbers.ts'
import { type IndexRecord, type ListEntry, lastMs } from './records.ts'

const mostItems = 1000
const longestText = 20_000
const longestLink = 4_000

/** Paths of members in a JSON list; dots separate the names: `data.list`. */
export interface Mapping {
  items: string
  title: string
  url: string
  id?: string
  text?: string
  heat?: string
  published?: string
  author?: string
  thumbnail?: string
}

export interface Item {
  id: string
  title: string
  text: string
  url: string
  heat: number
  publishedAt?: number
  author?: string
  thumbnailUrl?: string
}

/** Elements whose contents the XML reader returns as text. They contain markup: XHTML elements,
 *  or HTML that was escaped. */
const written = ['title', 'description', 'summary', 'content', 'content:encoded', 'dc:title', 'media:title']

/** The prefix that this file uses for each XML namespace, because publishers choose prefixes
 *  freely. */
const namespaces: Readonly<Record<string, string>> = {
  'http://www.w3.org/2005/Atom': '',
  'http://purl.org/atom/ns#': '',
  'http://backend.userland.com/rss2': '',
  'http://purl.org/rss/1.0/': '',
  'http://my.netscape.com/rdf/simple/0.9/': '',
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#': 'rdf:',
  'http://purl.org/dc/elements/1.1/': 'dc:',
  'http://purl.org/rss/1.0/modules/content/': 'content:',
  'http://search.yahoo.com/mrss/': 'media:',
}
const atom = /^http:\/\/(?:www\.w3\.org\/2005\/Atom|purl\.org\/atom\/ns#)$/
const root = /<(?:[\w.-]{1,50}:)?(?:feed|rss|rdf|channel|item|entry)[\s>/]/i
/** Names that contain capitals; all other names are read in lower case, whatever the publisher
 *  wrote. */
const capitalised: Readonly<Record<string, string>> = { pubdate: 'pubDate', 'rdf:rdf': 'rdf:RDF' }
/** Matches the declarations, comments and white space before the first element. */
const prologue = /(?:\s+|<\?.*?\?>|<!--.*?-->)*/sy
const longestRoot = 5_000

/** Parses the XML and replaces the publisher's prefixes by those of this file. Throws the errors
 *  of the XML reader. */
function parsedXml(text: string): Record<string, unknown> {
  const prefixes = new Map<string, string>()
  prologue.lastIndex = 0
  const body = text.slice(prologue.exec(text)?.[0].length ?? 0)
  const start = body.search(root)
  const head = start < 0 ? '' : body.slice(start, start + longestRoot)
  const isAtom = /^<(?:[\w.-]+:)?(?:feed|entry)/i.test(head)
  for (const [, prefix = '', namespace = ''] of head.matchAll(/xmlns(?::([\w.-]{1,50}))?\s*=\s*["']([^"']{1,200})["']/g)) {
    // In RSS, elements of Atom are `atom:link` and so on: without a prefix they would be confused
    // with elements of RSS.
    const own = !isAtom && prefix !== '' && atom.test(namespace) ? 'atom:' : namespaces[namespace]
    if (own !== undefined && !prefixes.has(prefix)) prefixes.set(prefix, own)
  }
  const transformTagName = (name: string): string => {
    const colon = name.indexOf(':')
    const own = prefixes.get(name.slice(0, Math.max(0, colon)))
    return nameOf(own === undefined ? name : own + name.slice(colon + 1))
  }
  const stopNodes = written.map(name => `..${name}`)
  return new XMLParser({ ...xmlOptions, transformTagName, transformAttributeName: nameOf, stopNodes }).parse(withEscapedSigns(text))
}

function nameOf(written: string): string {
  const name = written.toLowerCase()
  return Object.hasOwn(capitalised, name) ? (capitalised[name] ?? name) : name
}

const xmlOptions = {
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  htmlEntities: true,
  parseTagValue: false,
  trimValues: true,
} as const

/** The items of a feed. `left` contains, for each reason, how many items were rejected. */
export interface ParsedFeed {
  items: Item[]
  left: Map<string, number>
}

/** Returns the items of a feed in order, without duplicates. `url` is the address of the feed,
 *  for relative links. Throws `upstream_error` when the text is not a feed. */
export function readFeed(text: string, { mapping, url }: { mapping?: Mapping | undefined; url?: string } = {}): ParsedFeed {
  const given = text.replace(/^[\s\ufeff]+/, '')
  const found = mapping
    ? mapped(parsedJson(given), mapping, url)
    : /^[{[]/.test(given)
      ? jsonFeed(parsedJson(given), url)
      : xmlFeed(given, url)
  const left = new Map<string, number>()
  const seen = new Set<string>()
  const items = found.filter((item, index) => {
    const reason = index >= mostItems ? `beyond the first ${mostItems}` : reasonAgainst(item, seen)
    if (reason !== undefined) left.set(reason, (left.get(reason) ?? 0) + 1)
    return reason === undefined
  })
  return { items, left }
}

/** Returns the reason why an item is rejected; undefined for an accepted item. */
function reasonAgainst({ title, url }: Item, seen: Set<string>): string | undefined {
  if (title === '') return 'without a title'
  if (url === '') return 'without a link'
  if (!isLink(url)) return 'with a link that is no http or https URL'
  const key = `${title}\n${url}`
  if (seen.has(key)) return 'that repeat another'
  seen.add(key)
  return undefined
}

/** Time in ms by which a date may be in the future, because of wrong clocks and time zones. A later
 *  date is ignored. */
const dayMs = 86_400_000

export function recordsOf(
  items: readonly Item[],
  { platform, topic, now }: { platform: string; topic?: string | undefined; now: number },
): IndexRecord[] {
  return items.map(({ id, title, text, url, heat, publishedAt, author, thumbnailUrl }) => ({
    ...{ id, platform, title, text, url, counts: heat > 0 ? { heat } : {} },
    ...(topic === undefined ? {} : { topic }),
    ...(publishedAt === undefined || publishedAt > now + dayMs ? {} : { publishedAt }),
    ...(author === undefined ? {} : { author: { name: author } }),
    ...(thumbnailUrl === undefined ? {} : { thumbnailUrl }),
  }))
}

export function entriesOf(items: readonly Item[]): ListEntry[] {
  return items.map(({ title, heat, url }) => ({ title, heat, url }))
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new GatewayError('upstream_error', 'The source gave no JSON.')
  }
}

function mapped(given: unknown, mapping: Mapping, base: string | undefined): Item[] {
  const list = at(given, mapping.items)
  if (!Array.isArray(list)) throw new GatewayError('upstream_error', `The source has no list at ${mapping.items}.`)
  const of = (entry: unknown, path: string | undefined) => (path === undefined ? undefined : at(entry, path))
  return list.map(entry => {
    const url = resolved(textOf(of(entry, mapping.url)), base)
    return itemOf({
      id: textOf(of(entry, mapping.id)) || url,
      title: of(entry, mapping.title),
      text: of(entry, mapping.text),
      url,
      heat: of(entry, mapping.heat),
      published: of(entry, mapping.published),
      author: of(entry, mapping.author),
      thumbnail: of(entry, mapping.thumbnail),
    })
  })
}

/** Reads JSON Feed 1 and 1.1. */
function jsonFeed(given: unknown, feedUrl: string | undefined): Item[] {
  const { items, home_page_url: home, feed_url: own } = Object(given)
  const base = resolved(textOf(home) || textOf(own), feedUrl) || feedUrl
  if (!Array.isArray(items))
    throw new GatewayError('upstream_error', 'The source is JSON, but no JSON Feed: it has no items. A mapping says where they are.')
  return items.map(entry => {
    const { id, url, external_url, title, content_text, content_html, summary, date_published, authors, author, image } = Object(entry)
    const text = textOf(content_text) || textOf(content_html) || textOf(summary)
    const name = Object(Array.isArray(authors) ? authors[0] : author).name
    return itemOf({
      id: id ?? url,
      title: textOf(title) || textOf(summary) || beginningOf(text),
      text,
      url: resolved(textOf(url ?? external_url), base),
      published: date_published,
      author: name,
      thumbnail: image,
    })
  })
}

/** Reads RSS 0.9 to 2.0, RDF and Atom. */
function xmlFeed(text: string, feedUrl: string | undefined): Item[] {
  let root: Record<string, unknown>
  try {
    root = parsedXml(text)
  } catch {
    throw new GatewayError('upstream_error', 'The source gave neither a feed nor JSON.')
  }
  const { rss, feed, 'rdf:RDF': rdf } = root
  // Some files have no root element of a feed, but begin with its channel, or are a single item.
  const outer = rss ?? rdf ?? root
  const channel = Object(Object(outer).channel)
  const items = [...listed(channel.item), ...listed(Object(outer).item)]
  const entries = listed(Object(feed ?? root).entry)
  if (items.length === 0 && entries.length === 0 && rss === undefined && rdf === undefined && feed === undefined)
    throw new GatewayError('upstream_error', 'The source gave neither a feed nor JSON.')
  const home = resolved(textOf(channel.link), feedUrl) || linkIn({ link: channel['atom:link'] }, feedUrl) || feedUrl
  const rssBase = baseOf(channel, baseOf(rss ?? rdf, home))
  const atomBase = baseOf(feed, feedUrl ?? linkIn(feed, undefined))
  return [...items.map(each => rssItem(each, rssBase)), ...entries.map(each => atomEntry(each, atomBase))]
}

/** Returns the base URL for relative links inside an element (`xml:base`). */
function baseOf(element: unknown, outer: string | undefined): string | undefined {
  const own = textOf(Object(element)['@xml:base'])
  return own === '' ? outer : resolved(own, outer)
}

/** Returns a link as an absolute URL, with blanks in it escaped. When no base is known, a relative
 *  link is returned unchanged. */
function resolved(link: string, base: string | undefined): string {
  const given = link.replaceAll('&amp;', '&')
  if (given === '' || given.length > longestLink || (base === undefined && !/\s/.test(given))) return given
  return URL.parse(given, base)?.href ?? given
}

function rssItem(entry: unknown, outer: string | undefined): Item {
  const { title, link, guid, description, pubDate, author } = Object(entry)
  const more = Object(entry)
  const base = baseOf(entry, outer)
  const id = textOf(guid)
  const isPlace = Object(guid)['@ispermalink'] !== 'false' && isLink(id)
  const enclosed = resolved(textOf(Object(listed(more.enclosure)[0])['@url']), base)
  const url =
    resolved(textOf(link), base) ||
    linkIn({ link: more['atom:link'] }, base) ||
    (isPlace ? id : '') ||
    textOf(more['@rdf:about']) ||
    enclosed
  const pictures = listed(more.enclosure).filter(each => /^image\//.test(Object(each)['@type'] ?? 'image/'))
  const image = Object(listed(more['media:thumbnail'] ?? more['media:content'] ?? pictures)[0])['@url']
  return itemOf({
    id: id || url,
    title: markupOf(title) || markupOf(more['dc:title']) || markupOf(more['media:title']) || beginningOf(markupOf(description)),
    text: markupOf(more['content:encoded']) || markupOf(description),
    url,
    published: pubDate ?? more['dc:date'] ?? more['atom:updated'],
    author: author ?? more['dc:creator'],
    thumbnail: image,
  })
}

function atomEntry(entry: unknown, outer: string | undefined): Item {
  const { id, title, summary, content, published, updated, author } = Object(entry)
  const base = baseOf(entry, outer)
  const source = resolved(textOf(Object(content)['@src']), base)
  const url = linkIn(entry, base) || source || (isLink(textOf(id)) ? textOf(id) : '')
  const text = markupOf(content) || markupOf(summary)
  return itemOf({
    id: textOf(id) || url,
    title: markupOf(title) || beginningOf(markupOf(summary) || text),
    text,
    url,
    published: published ?? updated,
    author: Object(listed(author)[0]).name,
  })
}

/** Returns the link of an Atom element to the page that it describes: the first link without `rel`
 *  or with `rel="alternate"`; if there is none, the first link with an address. */
function linkIn(element: unknown, base: string | undefined): string {
  const links = listed(Object(element).link).map(each => Object(each))
  const link =
    links.find(each => /^(?:.*\/)?alternate$/.test(each['@rel'] ?? 'alternate')) ?? links.find(each => each['@href'] !== undefined)
  return resolved(textOf(link?.['@href']), baseOf(link, base))
}

/** Returns the markup in a text element. XHTML is returned unchanged, and so is plain text of Atom,
 *  in which `&lt;b&gt;` stands for these three characters and not for a tag. All other markup was
 *  escaped in order to be text in XML, so one layer of escapes is removed. */
function markupOf(given: unknown): string {
  const element = Array.isArray(given) ? given.find(each => textOf(each) !== '') : given
  const text = textOf(element)
  return /^(?:xhtml|text)$/.test(Object(element)['@type']) ? text : unescapedOnce(text)
}

/** Returns the title of an item without one: the first 100 characters of its text. */
function beginningOf(markup: string): string {
  return plain(markup).slice(0, 100)
}

function itemOf(given: { [Name in 'id' | 'title' | 'text' | 'url' | 'heat' | 'published' | 'author' | 'thumbnail']?: unknown }): Item {
  const publishedAt = timeOf(given.published)
  const author = plain(textOf(given.author)).slice(0, 200)
  const thumbnail = textOf(given.thumbnail)
  return {
    id: textOf(given.id).toWellFormed().slice(0, 500),
    title: plain(textOf(given.title)).slice(0, 1000),
    text: plain(textOf(given.text)).slice(0, longestText),
    url: textOf(given.url),
    heat: countOf(given.heat),
    ...(publishedAt === undefined ? {} : { publishedAt }),
    ...(author === '' ? {} : { author }),
    ...(isLink(thumbnail) ? { thumbnailUrl: thumbnail } : {}),
  }
}

/** True for an absolute http or https URL. */
function isLink(url: string): boolean {
  return url.length <= longestLink && /^https?:\/\/[^\s\p{Cc}]+$/iu.test(url) && URL.canParse(url)
}

/** Returns a date in ms since 1970. A zone of letters that `Date.parse` does not know (`CEST`) is
 *  read as UTC, as RFC 5322 has it. */
function timeOf(given: unknown): number | undefined {
  const text = textOf(given).slice(0, 100)
  const utc = text.replace(/ [A-Z]{2,5}$/, ' UTC')
  const at = typeof given === 'number' ? Math.round(given < 1e11 ? given * 1000 : given) : Date.parse(text) || Date.parse(utc)
  return at >= 0 && at <= lastMs ? at : undefined
}

function at(given: unknown, path: string): unknown {
  return path === '' ? given : path.split('.').reduce<unknown>((value, step) => Object(value)[step], given)
}

function listed(given: unknown): unknown[] {
  return given === undefined ? [] : [given].flat()
}

/** Returns the text of an element, with or without attributes. When there are several elements,
 *  returns the first text that is not empty. */
function textOf(given: unknown): string {
  if (Array.isArray(given)) return given.map(textOf).find(text => text !== '') ?? ''
  if (typeof given === 'string') return given.trim()
  if (typeof given === 'number' || typeof given === 'bigint') return String(given)
  const inner = Object(given)['#text']
  return typeof inner === 'string' ? inner.trim() : ''
}
