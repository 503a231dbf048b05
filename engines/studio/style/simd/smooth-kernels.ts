/** WebAssembly loops of the smoothing in `kuwahara.ts`, for opaque pixels. A block of 2 x 2
 *  pixels is stored as a vector of four 32-bit values: mean red, green and blue, and the square
 *  of its brightness (which is 0 to 2040). */
import {
  addFloats,
  addShorts,
  addWords,
  allFloats,
  allWords,
  assemble,
  type Code,
  during,
  either,
  floats,
  floatsOf,
  type Locals,
  loadShorts,
  loadSplat,
  loadVector,
  lowWords,
  maxFloats,
  number,
  overFloats,
  packBytes,
  packShorts,
  pairProducts,
  pickWords,
  plus,
  type Routine,
  rightShorts,
  shorts,
  storeVector,
  storeWord,
  subFloats,
  subWords,
  timesFloats,
  timesShorts,
  timesWords,
  wordsOf,
} from '@generation-gateway/kit/simd/assembler.ts'
import { opaquePixels } from './pixel-kernels.ts'
import { memory } from './room.ts'

/** Weights for a block's brightness: 2 red + 5 green + 1 blue. The weights are integers, so that
 *  the variance is computed without rounding. */
const light = [2, 5, 1, 0] as const

/** Returns the sum of the four lanes, in every lane. */
const sumOfFloats = ({ get, set }: Locals, name: string): Code[] => {
  return [
    set(name, addFloats(get(name), pickWords(get(name), get(name), [1, 0, 3, 2]))),
    set(name, addFloats(get(name), pickWords(get(name), get(name), [2, 3, 0, 1]))),
  ]
}

/** Computes `count` blocks from two rows of pixels. */
const blocks: Routine = {
  parameters: ['to', 'upper', 'lower', 'count'],
  vectors: ['sum', 'light'],
  body: ({ get, set, forward }) => [
    during(get('count'), [
      set('sum', addShorts(loadShorts(get('upper')), loadShorts(get('lower')))),
      set('sum', addShorts(get('sum'), pickWords(get('sum'), get('sum'), [2, 3, 2, 3]))),
      set('sum', rightShorts(addShorts(get('sum'), shorts(2, 2, 2, 2, 2, 2, 2, 2)), 2)),
      set('light', pairProducts(get('sum'), shorts(...light, ...light))),
      set('light', addWords(get('light'), pickWords(get('light'), get('light'), [1, 0, 1, 0]))),
      storeVector(get('to'), pickWords(lowWords(get('sum')), timesWords(get('light'), get('light')), [0, 1, 2, 4])),
      forward({ to: 16, upper: 8, lower: 8, count: -1 }),
    ]),
  ],
}

/** Repeats the first and the last of `count` vectors `margin` times outside the row. */
const edges: Routine = {
  parameters: ['row', 'count', 'margin'],
  numbers: ['left', 'right'],
  vectors: ['first', 'last'],
  body: ({ get, set, add, forward }) => [
    set('left', get('row')),
    set('right', plus(get('row'), [...get('count'), ...number(4), 0x74])),
    set('first', loadVector(get('left'))),
    set('last', loadVector(plus(get('right'), number(-16)))),
    during(get('margin'), [
      add('left', number(-16)),
      storeVector(get('left'), get('first')),
      storeVector(get('right'), get('last')),
      forward({ right: 16, margin: -1 }),
    ]),
  ],
}

/** Writes running sums of `taps` vectors along a row; the first sum begins at `from`. */
const alongRow: Routine = {
  parameters: ['to', 'from', 'count', 'taps'],
  numbers: ['entering'],
  vectors: ['sum'],
  body: ({ get, set, add, forward }) => [
    set('sum', allWords(0)),
    set('entering', get('from')),
    during(get('taps'), [set('sum', addWords(get('sum'), loadVector(get('entering')))), forward({ entering: 16, taps: -1 })]),
    during(get('count'), [
      storeVector(get('to'), get('sum')),
      set('sum', subWords(addWords(get('sum'), loadVector(get('entering'))), loadVector(get('from')))),
      ...['to', 'from', 'entering'].map(name => add(name, number(16))),
      add('count', number(-1)),
    ]),
  ],
}

/** Writes the current column sums. Then moves them down by one row: adds the row `entering` and
 *  subtracts the row `leaving`. */
const downColumns: Routine = {
  parameters: ['to', 'sums', 'entering', 'leaving', 'count'],
  vectors: ['sum'],
  body: ({ get, set, add }) => [
    during(get('count'), [
      set('sum', loadVector(get('sums'))),
      storeVector(get('to'), get('sum')),
      storeVector(get('sums'), subWords(addWords(get('sum'), loadVector(get('entering'))), loadVector(get('leaving')))),
      ...['to', 'sums', 'entering', 'leaving'].map(name => add(name, number(16))),
      add('count', number(-1)),
    ]),
  ],
}

/** Converts sums over squares to red, green, blue and 1, each multiplied by the weight of its
 *  square: 1 / (4 + variance^2 of the brightness), so that uniform squares count more. `colours`
 *  holds the sums for the colour, `lights` those for the variance. `shares` holds two floats: 1 /
 *  (number of vectors in a sum) for each of the two. */
const weigh: Routine = {
  parameters: ['to', 'colours', 'lights', 'count', 'shares'],
  vectors: ['mean', 'light', 'weight', 'colourShare', 'lightShare'],
  body: local => {
    const { get, set, add } = local
    const square = timesFloats(get('light'), get('light'))
    const excess = subFloats(pickWords(get('mean'), get('mean'), [3, 3, 3, 3]), square)
    const variance = maxFloats(timesFloats(excess, allFloats(1 / 64)), allFloats(0))
    const colour = timesFloats(floatsOf(loadVector(get('colours'))), get('colourShare'))
    return [
      set('colourShare', loadSplat(get('shares'))),
      set('lightShare', loadSplat(get('shares'), 4)),
      during(get('count'), [
        set('mean', timesFloats(floatsOf(loadVector(get('lights'))), get('lightShare'))),
        set('light', timesFloats(get('mean'), floats(...light))),
        ...sumOfFloats(local, 'light'),
        set('weight', variance),
        set('weight', overFloats(allFloats(1), addFloats(timesFloats(get('weight'), get('weight')), allFloats(4)))),
        storeVector(get('to'), timesFloats(pickWords(colour, allFloats(1), [0, 1, 2, 4]), get('weight'))),
        ...['to', 'colours', 'lights'].map(name => add(name, number(16))),
        add('count', number(-1)),
      ]),
    ]
  },
}

/** Writes pixels that are weighted means of eight vectors around each position. The vectors lie
 *  `straight` bytes to the left and right, `straightRows` bytes above and below, and at the four
 *  combinations of `slant` and `slantRows`. */
const mixEight: Routine = {
  parameters: ['to', 'from', 'count', 'straight', 'slant', 'straightRows', 'slantRows'],
  vectors: ['sum'],
  body: ({ get, set, forward }) => {
    const less = (name: string): Code => [...number(0), ...get(name), 0x6b]
    const steps = [
      ...['straight', 'straightRows'].flatMap(name => [get(name), less(name)]),
      ...[get('slantRows'), less('slantRows')].flatMap(down => [plus(down, get('slant')), plus(down, less('slant'))]),
    ]
    const sum = steps.map(step => loadVector(plus(get('from'), step))).reduce<Code>((total, each) => addFloats(total, each), allFloats(0))
    const rounded = wordsOf(addFloats(overFloats(get('sum'), pickWords(get('sum'), get('sum'), [3, 3, 3, 3])), allFloats(0.5)))
    return [
      during(get('count'), [
        set('sum', sum),
        set('sum', packShorts(rounded, rounded)),
        storeWord(get('to'), either(packBytes(get('sum'), get('sum')), opaquePixels)),
        forward({ to: 4, from: 16, count: -1 }),
      ]),
    ]
  },
}

/** Enlarges two rows of blocks to pixels, two pixels per block. Each pixel is 9/16 of its own
 *  block, 3/16 each of the nearest blocks beside and above or below it, and 1/16 of the diagonal
 *  one. `groups` is half the number of blocks. */
const expand: Routine = {
  parameters: ['to', 'own', 'other', 'groups'],
  vectors: ['middle', 'left', 'right'],
  body: ({ get, set, forward }) => {
    const three = shorts(3, 3, 3, 3, 3, 3, 3, 3)
    const down = (step: number): Code =>
      addShorts(timesShorts(loadShorts(plus(get('own'), number(step))), three), loadShorts(plus(get('other'), number(step))))
    const mixed = (next: string): Code => rightShorts(addShorts(get('middle'), get(next)), 4)
    return [
      during(get('groups'), [
        set('middle', addShorts(timesShorts(down(0), three), shorts(8, 8, 8, 8, 8, 8, 8, 8))),
        set('left', down(-4)),
        set('right', down(4)),
        set('middle', packBytes(mixed('left'), mixed('right'))),
        storeVector(get('to'), pickWords(get('middle'), get('middle'), [0, 2, 1, 3])),
        forward({ to: 16, own: 8, other: 8, groups: -1 }),
      ]),
    ]
  },
}

export const {
  blocks: shrinkRow,
  edges: repeatEdges,
  alongRow: sumAlong,
  downColumns: sumDown,
  weigh: weighRow,
  mixEight: mixRow,
  expand: expandRow,
} = assemble({ blocks, edges, alongRow, downColumns, weigh, mixEight, expand }, memory)
