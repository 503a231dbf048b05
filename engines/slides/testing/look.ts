/** Writes the sample deck of a template, for a visual check: `node engines/slides/testing/look.ts
 *  <template> <folder>`. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { layOutWritten } from '../deck/make-deck.ts'
import { pagePngs, writePdf } from '../deck/write-pdf.ts'
import { writePptx } from '../deck/write-pptx.ts'
import { themes } from '../templates/templates.ts'
import { sampleSlides } from './sample-deck.ts'

const [name = 'harbour', folder = '/tmp/slides-look'] = process.argv.slice(2)
await mkdir(folder, { recursive: true })
for (const theme of themes.filter(each => name === 'all' || each.name === name)) {
  const laid = await layOutWritten({ title: 'A harbour that runs on the tide', language: 'en', slides: sampleSlides }, theme)
  await writeFile(join(folder, `${theme.name}.pptx`), await writePptx(laid.pages, laid))
  await writeFile(join(folder, `${theme.name}.pdf`), await writePdf(laid.pages, laid))
  for (const [k, png] of (await pagePngs(laid.pages, laid, 480)).entries())
    await writeFile(join(folder, `${theme.name}-${String(k + 1).padStart(2, '0')}.png`), png)
}
