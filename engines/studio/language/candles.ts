import type { ArtKey, Subject } from '../scene.ts'

/** Number of candles in the drawing of a birthday cake. */
const drawnCandles = 3
const plainCake: ArtKey = 'drawn:bare-cake'
const cakeCandle: ArtKey = 'drawn:cake-candle'
/** Height of a candle for a cake, metres. */
const candleMetres = 0.13

/** Returns the subjects with the candles of birthday cakes corrected. When the prompt gives a
 *  number or a colour of candles that the drawing of the cake does not show, the cake is drawn
 *  without candles and the candles become subjects on top of it. */
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
