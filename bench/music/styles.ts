/** `node bench/music/styles.ts [--score]`: composes a piece in each style and prints its measured
 *  properties, and then the pairs of styles that are most similar. */
import { compose } from '../../engines/composer/compose.ts'
import { composerPacks, soundfontFile, soundfontPack } from '../../engines/composer/packs.ts'
import { joined, render } from '../../engines/composer/render/render.ts'
import { openBank } from '../../engines/composer/render/stage.ts'
import { styles } from '../../engines/composer/styles/index.ts'
import { packFilesIn } from '../../kit/pack-files.ts'
import { packsDirectory } from '../../kit/packs.ts'
import { factsOfScore, factsOfSound, nearest } from './style-facts.ts'

const path = packFilesIn(packsDirectory(process.env), composerPacks).file(soundfontPack, soundfontFile)
if (path === undefined) throw new Error('the sound bank is not there: npm run setup -- music-soundfont')
const bank = await openBank(path)
const isScoreOnly = process.argv.includes('--score')
const seeds = isScoreOnly ? ['1', '2', '3', '4', '5'] : ['1']
const rows = new Map<string, Record<string, number>>()
for (const style of styles) {
  const all: Record<string, number>[] = []
  for (const seed of seeds) {
    const { score, brief } = compose({ prompt: style.id, seed, seconds: isScoreOnly ? 60 : 24 })
    const facts = factsOfScore(score)
    if (!isScoreOnly) {
      const { mix, ending } = brief.style
      Object.assign(facts, factsOfSound(await joined(render({ score, mix, ending, bank }))))
    }
    all.push(facts)
  }
  const names = Object.keys(all[0] ?? {})
  rows.set(style.id, Object.fromEntries(names.map(name => [name, all.reduce((sum, each) => sum + (each[name] ?? 0), 0) / all.length])))
}
const names = Object.keys([...rows.values()][0] ?? {})
process.stdout.write(`${''.padEnd(15)}${names.map(name => name.padStart(11)).join('')}\n`)
for (const [style, facts] of rows)
  process.stdout.write(`${style.padEnd(15)}${names.map(name => (facts[name] ?? 0).toFixed(2).padStart(11)).join('')}\n`)
process.stdout.write('\n')
for (const { one, other, distance } of nearest(rows).slice(0, 20)) process.stdout.write(`${distance.toFixed(2)}  ${one} - ${other}\n`)
