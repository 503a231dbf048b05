/** Writes decks for titles, for a visual check: `node engines/slides/testing/look-titles.ts
 *  <folder> <title>...`. Prints the texts and writes the pages of each deck as one PNG. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packsDirectory } from '@generation-gateway/kit/packs.ts'
import type { Slide } from '@generation-gateway/kit/requests/slides.ts'
import sharp from 'sharp'
import { layOutWritten } from '../deck/make-deck.ts'
import { pagePngs } from '../deck/write-pdf.ts'
import { wordNetPack } from '../packs.ts'
import { themes } from '../templates/templates.ts'
import { composeDeck } from '../writer/compose.ts'
import { languageOfText } from '../writer/language-of.ts'
import { WordNet } from '../writer/wordnet.ts'

const [folder = '/tmp/slides-look', ...titles] = process.argv.slice(2)
const pack = join(packsDirectory(process.env), wordNetPack)
const nouns = new WordNet({ index: join(pack, 'index.noun'), data: join(pack, 'data.noun') })
const [width, columns] = [640, 3]
await mkdir(folder, { recursive: true })

for (const [k, title] of titles.entries()) {
  const language = languageOfText(title) === 'zh' ? 'zh' : 'en'
  const deck = composeDeck({ title, language, nouns })
  process.stdout.write(`\n##### ${title}\n${deck.comment}\n`)
  for (const slide of deck.slides) process.stdout.write(`${textOf(slide)}\n`)
  const theme = themes[k % themes.length]
  if (!theme || process.env.TEXT_ONLY) continue
  const laid = await layOutWritten(deck, theme)
  const pages = await pagePngs(laid.pages, laid, width)
  const height = Math.round((width * 9) / 16)
  const rows = Math.ceil(pages.length / columns)
  const sheet = sharp({ create: { width: width * columns, height: height * rows, channels: 3, background: '#888' } })
  const placed = pages.map((input, n) => ({ input, left: (n % columns) * width, top: Math.floor(n / columns) * height }))
  await writeFile(join(folder, `${String(k + 1).padStart(2, '0')}-${theme.name}.png`), await sheet.composite(placed).png().toBuffer())
}

function textOf({ layout, title, subtitle, points, columns: sides, quote, figures, table, steps, chart, notes, picture }: Slide): string {
  return [
    `[${layout}] ${title}${subtitle === undefined ? '' : ` / ${subtitle}`}${picture === undefined ? '' : ` (picture: ${picture})`}`,
    ...points.map(point => `   - ${point}`),
    ...(sides ?? []).map(side => `   | ${side.title}: ${side.points.join(' · ')}`),
    ...(quote ? [`   “${quote.text}” ${quote.by}`] : []),
    ...(figures ?? []).map(({ value, label }) => `   # ${value} ${label}`),
    ...(table ? [table.head, ...table.rows].map(row => `   ${row.join(' | ')}`) : []),
    ...(steps ?? []).map(({ label, title: name, text }) => `   ${label}) ${name}: ${text}`),
    ...(chart ? [`   ${chart.labels.join(', ')}: ${chart.series.map(({ values }) => values.join(' ')).join(' / ')}`] : []),
    ...(process.env.NOTES ? [`      « ${notes} »`] : []),
  ].join('\n')
}
