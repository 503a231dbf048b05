import type { ArtKey, Subject } from '../scene.ts'

/** As many candles as the drawing of a birthday cake has. */
const drawnCandles = 3
const plainCake: ArtKey = 'drawn:bare-cake'
const cakeCandle: ArtKey = 'drawn:cake-candle'
/** A candle for a cake, metres. */
const candleMetres = 0.13

/** "a birthday cake with six candles": counted or coloured ones stand on a cake without any. */
export function countCandles(subjects: readonly Subject[]): Subject[] {
  const candles = subjects.filter(({ noun }) => noun === 'candle')
  const cakeOf = (candle: Subject) =>
    subjects.find(({ id, art, count }) => art === 'noto:birthday-cake' && count === 1 && candle.relations.some(({ of }) => of === id))
  const asked = candles.filter(candle => cakeOf(candle) && (candle.count !== drawnCandles || candle.colour))
  const cakes = new Set(asked.map(cakeOf))
  return subjects.map(subject => {
    if (cakes.has(subject)) return { ...subject, art: plainCake }
    return asked.includes(subject) ? { ...subject, art: cakeCandle, heightMetres: candleMetres } : subject
  })
}
