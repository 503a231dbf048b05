import type { ArtKey, Subject } from '../scene.ts'

/** Number of candles in the drawing of a birthday cake. */
const drawnCandles = 3
const plainCake: ArtKey = 'drawn:bare-cake'
const cakeCandle: ArtKey = 'drawn:cake-candle'
/** Height of a candle for a cake, metres. */
const candleMetres = 0.13

/** Reads "a birthday cake with six candles": a number or a colour of candles puts separate candles
 *  on a cake that is drawn without any. */
export function countCandles(subjects: readonly Subject[]): Subject[] {
  const candles = subjects.filter(({ noun }) => noun === 'candle')
  const cakeOf = (candle: Subject) =>
    subjects.find(
      ({ id, art, count }) =>
        art === 'noto:birthday-cake' &&
        count === 1 &&
        candle.relations.some(({ of, kind }) => of === id && (kind === 'on' || kind === 'in')),
    )
  const isDrawn = (candle: Subject) => candle.count === drawnCandles && !candle.colour && cakeOf(candle)?.noun === 'birthday cake'
  const requested = candles.filter(candle => cakeOf(candle) && !isDrawn(candle))
  const cakes = new Set(requested.map(cakeOf))
  return subjects.map(subject => {
    if (cakes.has(subject)) return { ...subject, art: plainCake }
    return requested.includes(subject) ? { ...subject, art: cakeCandle, heightMetres: candleMetres } : subject
  })
}
