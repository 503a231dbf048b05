/** Feeds and lists as items: RSS, Atom, JSON Feed, and JSON whose members a mapping names. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { XMLParser } from 'fast-xml-parser'
import { countOf } from './numbers.ts'
import { type IndexRecord, type ListEntry, lastMs } from './records.ts'

const mostItems = 1000
const longestText = 20_000
/** Of a text with its tags and entities; what is behind it is not read. */
const longestMarkup = 200_000

/** Where the members are, as paths with dots: `data.list`. */
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

const xml = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '@', htmlEntities: true, parseTagValue: false, trimValues: true })

/** The text of a feed in the encoding of its byte order mark, else of the content type, else of its XML declaration, else UTF-8. */
export function feedText(bytes: Buffer, contentType: string): string {
  const encoding = encodingOf(bytes) ?? /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? declared.exec(bytes.toString('latin1', 0, 200))?.[1]
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

const declared = /^\s*<\?xml[^>]*encoding=["']([\w-]+)/i

/** By the mark, or by the zeros beside the first sign. */
function encodingOf([first, second, third]: Buffer): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first !== undefined && first > 0 && second === 0) return 'utf-16le'
  return first === 0 && second !== undefined && second > 0 ? 'utf-16be' : undefined
}

/** Items of a feed in its order, without repeats. Throws `upstream_error` for what is no feed. */
export function readFeed(text: string, mapping?: Mapping): Item[] {
  const items = mapping ? mapped(parsedJson(text), mapping) : /^\s*[{[]/.test(text) ? jsonFeed(parsedJson(text)) : xmlFeed(text)
  const seen = new Set<string>()
  return items.filter(({ title, url }) => {
    const key = `${title}\n${url}`
    if (title === '' || !isLink(url) || seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** Clocks and time zones differ by no more than a day: what is later is no date. */
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

function mapped(given: unknown, mapping: Mapping): Item[] {
  const list = at(given, mapping.items)
  if (!Array.isArray(list)) throw new GatewayError('upstream_error', `The source has no list at ${mapping.items}.`)
  const of = (entry: unknown, path: string | undefined) => (path === undefined ? undefined : at(entry, path))
  return list.slice(0, mostItems).map(entry => {
    const url = textOf(of(entry, mapping.url))
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

/** JSON Feed 1 and 1.1. */
function jsonFeed(given: unknown): Item[] {
  const { items } = Object(given)
  if (!Array.isArray(items))
    throw new GatewayError('upstream_error', 'The source is JSON, but no JSON Feed: it has no items. A mapping says where they are.')
  return items.slice(0, mostItems).map(entry => {
    const { id, url, external_url, title, content_text, content_html, summary, date_published, authors, author, image } = Object(entry)
    const text = content_text ?? content_html ?? summary
    const name = Object(Array.isArray(authors) ? authors[0] : author).name
    return itemOf({
      id: id ?? url,
      title: title ?? summary ?? content_text,
      text,
      url: url ?? external_url,
      published: date_published,
      author: name,
      thumbnail: image,
    })
  })
}

/** RSS 0.9 to 2.0, RDF and Atom. */
function xmlFeed(text: string): Item[] {
  let root: Record<string, unknown>
  try {
    root = xml.parse(text)
  } catch {
    throw new GatewayError('upstream_error', 'The source gave neither a feed nor JSON.')
  }
  const channel = Object(Object(root.rss).channel ?? root['rdf:RDF'])
  const items = listed(channel.item ?? Object(root['rdf:RDF']).item)
  const entries = listed(Object(root.feed).entry)
  if (items.length === 0 && entries.length === 0 && !root.rss && !root['rdf:RDF'] && !root.feed)
    throw new GatewayError('upstream_error', 'The source gave neither a feed nor JSON.')
  return [...items.map(rssItem), ...entries.map(atomEntry)].slice(0, mostItems)
}

function rssItem(entry: unknown): Item {
  const { title, link, guid, description, pubDate, author } = Object(entry)
  const more = Object(entry)
  const url = textOf(link) || textOf(guid)
  const image = Object(more['media:thumbnail'] ?? more['media:content'] ?? more.enclosure)['@url']
  return itemOf({
    id: textOf(guid) || url,
    title: textOf(title) || textOf(description).slice(0, 100),
    text: more['content:encoded'] ?? description,
    url,
    published: pubDate ?? more['dc:date'],
    author: author ?? more['dc:creator'],
    thumbnail: image,
  })
}

function atomEntry(entry: unknown): Item {
  const { id, title, link, summary, content, published, updated, author } = Object(entry)
  const links = listed(link).map(each => Object(each))
  const url = textOf((links.find(each => (each['@rel'] ?? 'alternate') === 'alternate') ?? links[0])?.['@href'])
  return itemOf({
    id: textOf(id) || url,
    title,
    text: content ?? summary,
    url,
    published: published ?? updated,
    author: Object(listed(author)[0]).name,
  })
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

/** Of the web, and whole. */
function isLink(url: string): boolean {
  return url.length <= 4000 && /^https?:\/\/[^\s\p{Cc}]+$/iu.test(url) && URL.canParse(url)
}

function timeOf(given: unknown): number | undefined {
  const at = typeof given === 'number' ? Math.round(given < 1e11 ? given * 1000 : given) : Date.parse(textOf(given).slice(0, 100))
  return at >= 0 && at <= lastMs ? at : undefined
}

function at(given: unknown, path: string): unknown {
  return path === '' ? given : path.split('.').reduce<unknown>((value, step) => Object(value)[step], given)
}

function listed(given: unknown): unknown[] {
  return given === undefined ? [] : [given].flat()
}

/** Of an element with attributes its text, of several the first one's. */
function textOf(given: unknown): string {
  if (Array.isArray(given)) return textOf(given[0])
  if (typeof given === 'string') return given.trim()
  if (typeof given === 'number' || typeof given === 'bigint') return String(given)
  const inner = Object(given)['#text']
  return typeof inner === 'string' ? inner.trim() : ''
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Without tags, entities and runs of blanks. Sources may be hostile: every step takes time in proportion to the text. */
function plain(markup: string): string {
  return withoutScripts(markup.slice(0, longestMarkup).toWellFormed())
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (all, decimal, hex, name) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? all
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ''
    })
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** Without scripts and styles; one that is not closed goes to the end. */
function withoutScripts(html: string): string {
  const kept: string[] = []
  let from = 0
  for (const { 1: name = '', index } of html.matchAll(/<(script|style)\b/gi)) {
    if (index < from) continue
    kept.push(html.slice(from, index))
    const close = new RegExp(`</${name}[^<>]*>?`, 'gi')
    close.lastIndex = index
    from = close.test(html) ? close.lastIndex : html.length
  }
  kept.push(html.slice(from))
  return kept.join(' ')
}
