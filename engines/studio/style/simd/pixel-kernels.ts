/** WebAssembly loops over rows of RGBA pixels (0 to 255). Routines that change only colours take
 *  straight alpha; those that mix pixels take opaque or premultiplied ones. Up to 15 bytes after
 *  the end of a row are sometimes written, too. */
import {
  absWords,
  addFloats,
  addShorts,
  addWords,
  allFloats,
  allWords,
  assemble,
  bits,
  both,
  bytes,
  type Code,
  during,
  either,
  fixedProduct,
  floatsOf,
  highShorts,
  highWords,
  loadByte,
  loadLane,
  loadNumber,
  loadShorts,
  loadSplat,
  loadVector,
  loadWord,
  lowShorts,
  lowWords,
  maxWords,
  minWords,
  nearestFloats,
  number,
  packBytes,
  packShorts,
  pairProducts,
  pick,
  pickWords,
  plus,
  type Routine,
  rightWords,
  shiftLeft,
  shiftRight,
  shorts,
  splatWord,
  storeHalf,
  storeVector,
  storeWord,
  subShorts,
  subWords,
  times,
  timesFloats,
  timesWords,
  wordOf,
  wordsOf,
} from '@generation-gateway/kit/simd/assembler.ts'
import { memory } from './room.ts'

/** Mask of the alpha bytes of four pixels: 255 in each alpha byte. */
export const opaquePixels = bytes(...Array.from({ length: 16 }, (_, index) => (index % 4 === 3 ? 255 : 0)))

const coloursOnly = bytes(...Array.from({ length: 16 }, (_, index) => (index % 4 === 3 ? 0 : 255)))

/** Returns pixels with the red, green and blue of `colours` and the alpha of `pixels`. */
export const withAlphaOf = (pixels: Code, colours: Code): Code => either(both(colours, coloursOnly), both(pixels, opaquePixels))

/** Multiplies the channels of `groups` times four pixels by a weight and adds them to the floats at
 *  `to`. */
const addPixels: Routine = {
  parameters: ['to', 'from', 'groups', 'weight'],
  vectors: ['pixels', 'share', 'half'],
  body: ({ get, set, forward }) => {
    const sum = (words: Code, offset: number): Code =>
      storeVector(get('to'), addFloats(loadVector(get('to'), offset), timesFloats(floatsOf(words), get('share'))), offset)
    return [
      set('share', loadSplat(get('weight'))),
      during(get('groups'), [
        set('pixels', loadVector(get('from'))),
        set('half', lowShorts(get('pixels'))),
        sum(lowWords(get('half')), 0),
        sum(highWords(get('half')), 16),
        set('half', highShorts(get('pixels'))),
        sum(lowWords(get('half')), 32),
        sum(highWords(get('half')), 48),
        forward({ to: 64, from: 16, groups: -1 }),
      ]),
    ]
  },
}

/** Writes `count` pixels. Each is the weighted sum of `taps` pixels that are stored as floats;
 *  `starts` lists, for each written pixel, the offset in bytes from `from` to the first of the
 *  summed pixels. */
const gatherPixels: Routine = {
  parameters: ['to', 'from', 'count', 'starts', 'weights', 'taps'],
  numbers: ['at', 'k'],
  vectors: ['sum'],
  body: ({ get, set, forward }) => [
    during(get('count'), [
      set('sum', allFloats(0)),
      set('at', plus(get('from'), loadNumber(get('starts')))),
      set('k', get('taps')),
      during(get('k'), [
        set('sum', addFloats(get('sum'), timesFloats(loadVector(get('at')), loadSplat(get('weights'))))),
        forward({ at: 16, weights: 4, k: -1 }),
      ]),
      set('sum', wordsOf(nearestFloats(get('sum')))),
      set('sum', packShorts(get('sum'), get('sum'))),
      storeWord(get('to'), packBytes(get('sum'), get('sum'))),
      forward({ to: 4, starts: 4, count: -1 }),
    ]),
  ],
}

/** Moves the colours of `pairs` times two pixels towards the colours at `from` where the
 *  brightness of the two differs by more than `least` (in 1/256 of a level; there are 256
 *  levels). The larger the difference, the further the colours move; from 40 levels above
 *  `least` on, they become those at `from`. Alpha does not change. */
const keepDetails: Routine = {
  parameters: ['to', 'from', 'pairs', 'least'],
  vectors: ['own', 'off', 'share', 'bound'],
  body: ({ get, set, forward }) => {
    const beyond = maxWords(subWords(absWords(get('share')), get('bound')), allWords(0))
    return [
      set('bound', splatWord(get('least'))),
      during(get('pairs'), [
        set('own', loadShorts(get('to'))),
        set('off', both(subShorts(loadShorts(get('from')), get('own')), shorts(-1, -1, -1, 0, -1, -1, -1, 0))),
        set('share', pairProducts(get('off'), shorts(90, 128, 38, 0, 90, 128, 38, 0))),
        set('share', addWords(get('share'), pickWords(get('share'), get('share'), [1, 0, 3, 2]))),
        // Converts the share to a fraction of 32768, as the multiplication needs it. The largest
        // share, 255 of 256, is treated as 1.
        set('share', timesWords(minWords(rightWords(timesWords(beyond, allWords(1638)), 16), allWords(255)), allWords(128))),
        set('share', pick(get('share'), get('share'), [0, 1, 0, 1, 0, 1, 0, 1, 8, 9, 8, 9, 8, 9, 8, 9])),
        set('own', addShorts(get('own'), fixedProduct(get('off'), get('share')))),
        storeHalf(get('to'), packBytes(get('own'), get('own'))),
        forward({ to: 8, from: 8, pairs: -1 }),
      ]),
    ]
  },
}

/** Multiplies the colours of each pixel by a factor that depends on its brightness. `factors` is a
 *  table of 256 factors with 12 fraction bits. Alpha does not change. */
const scaleTones: Routine = {
  parameters: ['to', 'count', 'factors'],
  numbers: ['light'],
  vectors: ['pixel'],
  body: ({ get, set, forward }) => {
    const light = grey(loadByte(get('to')), loadByte(get('to'), 1), loadByte(get('to'), 2))
    return [
      during(get('count'), [
        set('light', bits(shiftRight(light, number(6)), number(1020))),
        set('pixel', lowWords(lowShorts(loadWord(get('to'))))),
        set('pixel', timesWords(get('pixel'), loadSplat(plus(get('factors'), get('light'))))),
        set('pixel', rightWords(addWords(get('pixel'), allWords(2048)), 12)),
        set('pixel', packShorts(get('pixel'), get('pixel'))),
        storeWord(get('to'), withAlphaOf(loadWord(get('to')), packBytes(get('pixel'), get('pixel')))),
        forward({ to: 4, count: -1 }),
      ]),
    ]
  },
}

/** Returns 256 times the luma of a colour. */
function grey(red: Code, green: Code, blue: Code): Code {
  return plus(plus(times(red, number(77)), times(green, number(150))), times(blue, number(29)))
}

/** Writes running means of `taps` pixels along two rows at the same time; `share` is 2^20 /
 *  taps. */
const meansAlong: Routine = {
  parameters: ['to', 'toOther', 'from', 'fromOther', 'count', 'taps', 'share'],
  numbers: ['ahead', 'aheadOther'],
  vectors: ['sum', 'low', 'factor'],
  body: ({ get, set, add }) => {
    const two = (a: string, b: string): Code => lowShorts(loadLane(get(b), loadWord(get(a)), 1))
    const onward = [add('ahead', number(4)), add('aheadOther', number(4))]
    return [
      set('factor', splatWord(get('share'))),
      set('ahead', get('from')),
      set('aheadOther', get('fromOther')),
      set('sum', shorts(0, 0, 0, 0, 0, 0, 0, 0)),
      during(get('taps'), [set('sum', addShorts(get('sum'), two('ahead', 'aheadOther'))), ...onward, add('taps', number(-1))]),
      during(get('count'), [
        set('low', meanOf(get('sum'), get('factor'))),
        storeWord(get('to'), get('low')),
        storeWord(get('toOther'), pickWords(get('low'), get('low'), [1, 1, 1, 1])),
        set('sum', subShorts(addShorts(get('sum'), two('ahead', 'aheadOther')), two('from', 'fromOther'))),
        ...onward,
        ...['to', 'toOther', 'from', 'fromOther'].map(name => add(name, number(4))),
        add('count', number(-1)),
      ]),
    ]
  },
}

/** Returns the means for eight 16-bit sums, as bytes; `factor` is 2^20 divided by the number of
 *  summed values. */
function meanOf(sum: Code, factor: Code): Code {
  const mean = (half: Code): Code => rightWords(addWords(timesWords(half, factor), allWords(1 << 19)), 20)
  const narrow = packShorts(mean(lowWords(sum)), mean(highWords(sum)))
  return packBytes(narrow, narrow)
}

/** Writes the means of the current column sums for `pairs` times two pixels. Then moves the sums
 *  down by one row: adds the row `entering` and subtracts the row `leaving`. */
const meansDown: Routine = {
  parameters: ['to', 'sums', 'entering', 'leaving', 'pairs', 'share'],
  vectors: ['sum', 'factor'],
  body: ({ get, set, add }) => [
    set('factor', splatWord(get('share'))),
    during(get('pairs'), [
      set('sum', loadVector(get('sums'))),
      storeHalf(get('to'), meanOf(get('sum'), get('factor'))),
      storeVector(get('sums'), subShorts(addShorts(get('sum'), loadShorts(get('entering'))), loadShorts(get('leaving')))),
      add('sums', number(16)),
      ...['to', 'entering', 'leaving'].map(name => add(name, number(8))),
      add('pairs', number(-1)),
    ]),
  ],
}

/** Grades the colours of straight-alpha pixels. Looks up each channel in a table (32-bit values in
 *  1/256), scales the channel's distance from the luma by `saturation` (256 is neutral), and adds a
 *  value that depends on the luma. `tables` holds the tables for red, green and blue, then four
 *  32-bit values for each of 256 lumas. Alpha does not change. */
const gradeColours: Routine = {
  parameters: ['to', 'count', 'tables', 'saturation'],
  vectors: ['pixel', 'grey', 'strength'],
  body: ({ get, set, forward }) => {
    const entry = (channel: number): Code => plus(get('tables'), shiftLeft(loadByte(get('to'), channel), number(2)))
    const lane = (index: number): Code => wordOf(get('pixel'), index)
    const spread = rightWords(timesWords(subWords(get('pixel'), get('grey')), get('strength')), 8)
    const shade = rightWords(minWords(maxWords(get('grey'), allWords(0)), allWords(65_280)), 8)
    const tint = loadVector(plus(get('tables'), shiftLeft(wordOf(shade, 0), number(4))), 3072)
    return [
      set('strength', splatWord(get('saturation'))),
      during(get('count'), [
        set('pixel', loadLane(entry(1), loadWord(entry(0)), 1, 1024)),
        set('pixel', loadLane(entry(2), get('pixel'), 2, 2048)),
        set('grey', splatWord(shiftRight(grey(lane(0), lane(1), lane(2)), number(8)))),
        set('pixel', addWords(addWords(get('grey'), spread), addWords(tint, allWords(128)))),
        set('pixel', rightWords(get('pixel'), 8)),
        set('pixel', packShorts(get('pixel'), get('pixel'))),
        storeWord(get('to'), withAlphaOf(loadWord(get('to')), packBytes(get('pixel'), get('pixel')))),
        forward({ to: 4, count: -1 }),
      ]),
    ]
  },
}

export const {
  addPixels: addPixelRow,
  gatherPixels: gatherPixelRow,
  keepDetails: keepDetailsOfRow,
  scaleTones: scaleTonesOfRow,
  meansAlong: meansAlongRows,
  meansDown: meansDownRow,
  gradeColours: gradeColoursOfRow,
} = assemble({ addPixels, gatherPixels, keepDetails, scaleTones, meansAlong, meansDown, gradeColours }, memory)
