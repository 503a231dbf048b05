/** The few words that the engine itself adds to a deck, in each language; also functions that clean
 *  the texts of a request. */
export interface Words {
  /** The word before the source of a fact. */
  source: string
  agenda: string
}

const known: Readonly<Record<string, Words>> = {
  en: { source: 'Source: ', agenda: 'Agenda' },
  zh: { source: '来源：', agenda: '目录' },
  de: { source: 'Quelle: ', agenda: 'Inhalt' },
  fr: { source: 'Source : ', agenda: 'Sommaire' },
  es: { source: 'Fuente: ', agenda: 'Índice' },
  it: { source: 'Fonte: ', agenda: 'Indice' },
  pt: { source: 'Fonte: ', agenda: 'Sumário' },
  nl: { source: 'Bron: ', agenda: 'Inhoud' },
  ru: { source: 'Источник: ', agenda: 'Содержание' },
  ja: { source: '出典：', agenda: '目次' },
}

/** Returns the words that the engine adds to a deck in the language of a BCP 47 tag; in English for
 *  an unknown language. */
export function wordsOf(language: string): Words {
  const [primary = ''] = language.toLowerCase().split(/[-_]/)
  return known[primary] ?? (known.en as Words)
}

/** Returns a copy of the value in which no string has characters that XML cannot contain. */
export function cleanText<Value>(value: Value): Value {
  if (typeof value === 'string') return value.toWellFormed().replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, '') as Value
  if (Array.isArray(value)) return value.map(cleanText) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cleanText(each)])) as Value
}

/** Returns the text as one line, without the Markdown marks of bold text and without characters
 *  that XML cannot contain. */
export function cleanLine(text: string): string {
  return cleanText(text)
    .replace(/\s+/gu, ' ')
    .replace(/\*\*(.+?)\*\*|__(.+?)__/gu, (_all, a?: string, b?: string) => a ?? b ?? '')
    .trim()
}

/** Splits a point of the form `Lead: rest` when the lead is short. Otherwise the whole point is
 *  `rest`; so is a URL, and a point whose lead would end with a digit (`10:30`). */
export function leadOf(point: string): { lead?: string; rest: string } {
  const clean = cleanLine(point)
  const [, lead, rest] = /^([^:：.。!?]{1,48}?)\s*[:：]\s*(\S.*)$/u.exec(clean) ?? []
  if (lead === undefined || rest === undefined || /^\/\//.test(rest) || /\d$/.test(lead)) return { rest: clean }
  return { lead, rest }
}

/** Returns the text, cut to `most` characters if it is longer; the last character is then an
 *  ellipsis. */
export function cut(text: string, most: number): string {
  const characters = [...text]
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}
