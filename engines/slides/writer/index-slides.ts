/** Searches the gateway's search index for a title, and makes slides of the records that were
 *  found. */
import type { RunSubRequest } from '@generation-gateway/kit/requests/job.ts'
import type { SearchRecord } from '@generation-gateway/kit/requests/search.ts'
import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import type { RankedSlide } from './fact-slide.ts'

const searchMs = 20_000
const mostPoints = 4
const mostRows = 6

interface IndexRecords {
  records: SearchRecord[]
  /** The reason why the search was not possible. */
  why?: string
}

/** Returns the records about the subject, best first. Sample records are left out, and so are
 *  records that lack a word of the subject. */
export async function searchFor(subject: string, help: RunSubRequest): Promise<IndexRecords> {
  try {
    const request = { keyword: [...subject].slice(0, 100).join(''), page: 1, pageSize: 20 }
    const answer = await help({ capability: 'search.keyword', request, model: 'built-in', signal: AbortSignal.timeout(searchMs) })
    // Results of the search operation have this type; sub-request reports are typed as JSON.
    const records = (answer?.report.records ?? []) as unknown as SearchRecord[]
    return { records: records.filter(record => !record.isSample && speaksOf(record, subject)).slice(0, 8) }
  } catch (error) {
    return { records: [], why: `The search index could not be asked: ${error instanceof Error ? error.message : 'something went wrong.'}` }
  }
}

/** Returns a slide with the texts of the records, if at least two of them have at least 30
 *  characters, and a slide with a table that lists the records, if there are at least three. */
export function indexSlides(subject: string, records: readonly SearchRecord[], language: 'en' | 'zh'): RankedSlide[] {
  const words = tongues[language]
  const telling = records.filter(({ text }) => [...text.trim()].length >= 30).slice(0, mostPoints)
  const slides: RankedSlide[] = []
  if (telling.length >= 2)
    slides.push({
      rank: 1,
      slide: {
        layout: 'points',
        title: words.said(subject),
        points: telling.map(({ title, text }) => `${cut(title.replace(/[:：]/gu, ' –'), 46)}${words.colon}${firstSentences(text)}`),
        notes: `${words.note} ${telling.map(({ title, url }) => `${title} (${url})`).join('; ')}`,
        source: cut([...new Set(telling.map(whereOf))].join(', '), 110),
      },
    })
  if (records.length >= 3) slides.push({ rank: 2, slide: readingSlide(subject, records.slice(0, mostRows), language) })
  return slides
}

function readingSlide(subject: string, records: readonly SearchRecord[], language: 'en' | 'zh'): Slide {
  const words = tongues[language]
  return {
    layout: 'table',
    title: words.read(subject),
    points: [],
    table: {
      head: [...words.head],
      rows: records.map(record => [cut(record.title, 90), cut(record.author?.name ?? whereOf(record), 40), dayOf(record.publishedAt)]),
    },
    notes: `${words.note} ${records.map(({ url }) => url).join(' ')}`,
  }
}

const tongues = {
  en: {
    colon: ': ',
    said: (subject: string) => `What is written about ${subject}`,
    read: (subject: string) => `To read on about ${subject}`,
    head: ['Title', 'By', 'When'],
    note: 'From the search index of this gateway; nobody has checked what these sources say:',
  },
  zh: {
    colon: '：',
    said: (subject: string) => `关于${subject}的资料`,
    read: (subject: string) => `${subject}延伸阅读`,
    head: ['标题', '来源', '日期'],
    note: '来自本网关的搜索索引，内容未经核实：',
  },
} as const

function speaksOf({ title, text }: SearchRecord, subject: string): boolean {
  const all = `${title} ${text}`.toLowerCase()
  const words = subject
    .toLowerCase()
    .split(/\s+/)
    .filter(word => word.length > 2 || /\p{sc=Han}/u.test(word))
  return words.length > 0 && words.every(word => all.includes(word.replace(/(?<=...)e?s$/, '')))
}

function firstSentences(text: string): string {
  let kept = ''
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text.replace(/\s+/gu, ' ').trim())) {
    if (kept !== '' && [...kept, ...segment].length > 150) break
    kept += segment
  }
  return cut(kept.trim(), 170)
}

function whereOf({ url, platform }: SearchRecord): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : platform
}

function dayOf(publishedAt: number | undefined): string {
  return publishedAt === undefined ? '–' : new Date(publishedAt).toISOString().slice(0, 10)
}

function cut(text: string, most: number): string {
  const characters = [...text.replace(/\s+/gu, ' ').trim()]
  return characters.length <= most
    ? characters.join('')
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}
