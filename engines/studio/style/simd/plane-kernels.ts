/** WebAssembly loops over rows of floats. Each loop processes `groups` groups of 16 floats. If the
 *  row's length is not a multiple of 16, bytes after its end are written, too. */
import {
  addFloats,
  addShorts,
  addWords,
  allFloats,
  allWords,
  assemble,
  bits,
  both,
  type Code,
  during,
  floatsOf,
  isLess,
  type Locals,
  loadHalf,
  loadNumber,
  loadShorts,
  loadSplat,
  loadVector,
  maxFloats,
  minFloats,
  number,
  packBytes,
  pickWords,
  plus,
  type Routine,
  rightShorts,
  rightWords,
  shiftLeft,
  shiftRight,
  shorts,
  splatShort,
  splatWord,
  storeHalf,
  storeVector,
  subFloats,
  timesFloats,
  timesShorts,
  timesWords,
  wordOf,
  words,
  xor,
} from '@generation-gateway/kit/simd/assembler.ts'
import { memory } from './room.ts'

const sums = ['a', 'b', 'c', 'd']

/** Returns a loop that writes weighted sums of floats; `source` computes the address of the
 *  floats for the weight at the offset `k`. The offsets `k`, and the size `taps` of all weights,
 *  are in bytes: four for each weight. */
function weighted({ get, set, add, forward }: Locals, source: Code): Code[] {
  return [
    set('end', plus(get('to'), shiftLeft(get('groups'), number(6)))),
    set('x', number(0)),
    during(isLess(get('to'), get('end')), [
      ...sums.map(name => set(name, allFloats(0))),
      set('k', number(0)),
      during(isLess(get('k'), get('taps')), [
        set('at', source),
        set('weight', loadSplat(plus(get('weights'), get('k')))),
        ...sums.map((name, index) => set(name, addFloats(get(name), timesFloats(loadVector(get('at'), index * 16), get('weight'))))),
        add('k', number(4)),
      ]),
      ...sums.map((name, index) => storeVector(get('to'), get(name), index * 16)),
      forward({ to: 64, x: 64 }),
    ]),
  ]
}

const inner = { numbers: ['end', 'x', 'k', 'at'], vectors: [...sums, 'weight'] }

/** Filters along a row: each result is the weighted sum of floats that follow one another from
 *  `from` on. `taps` is four times the number of weights. */
const along: Routine = {
  parameters: ['to', 'from', 'groups', 'weights', 'taps'],
  ...inner,
  body: local => weighted(local, plus(plus(local.get('from'), local.get('x')), local.get('k'))),
}

/** Filters along columns: each result is the weighted sum of the floats at the same position in
 *  several rows. `rows` is the address of a list of the rows' addresses; `taps` is four times their
 *  number. */
const down: Routine = {
  parameters: ['to', 'rows', 'groups', 'weights', 'taps'],
  ...inner,
  body: local => weighted(local, plus(loadNumber(plus(local.get('rows'), local.get('k'))), local.get('x'))),
}

/** Stretches a row by linear interpolation. The results are the values at the positions `u`, `u` +
 *  `du`, ... of the row that begins at `from`. Positions are fixed-point numbers with 16 fraction
 *  bits. */
const spread: Routine = {
  parameters: ['to', 'from', 'groups', 'u', 'du'],
  numbers: ['fours'],
  vectors: ['place', 'step', 'index', 'left', 'right', 'low'],
  body: ({ get, set, forward }) => {
    const pairAt = (lane: number): Code => loadHalf(plus(get('from'), shiftLeft(wordOf(get('index'), lane), number(2))))
    const share = timesFloats(floatsOf(both(get('place'), allWords(65_535))), allFloats(1 / 65_536))
    return [
      set('fours', shiftLeft(get('groups'), number(2))),
      set('step', splatWord(get('du'))),
      set('place', addWords(splatWord(get('u')), timesWords(get('step'), words(0, 1, 2, 3)))),
      set('step', timesWords(get('step'), allWords(4))),
      during(get('fours'), [
        set('index', rightWords(get('place'), 16)),
        set('left', pickWords(pairAt(0), pairAt(1), [0, 4, 1, 5])),
        set('right', pickWords(pairAt(2), pairAt(3), [0, 4, 1, 5])),
        set('low', pickWords(get('left'), get('right'), [0, 1, 4, 5])),
        set('right', pickWords(get('left'), get('right'), [2, 3, 6, 7])),
        storeVector(get('to'), addFloats(get('low'), timesFloats(subFloats(get('right'), get('low')), share))),
        set('place', addWords(get('place'), get('step'))),
        forward({ to: 16, fours: -1 }),
      ]),
    ]
  },
}

/** Stretches a row of RGBA pixels by linear interpolation, two pixels at a time; see `spread`. */
const spreadPixels: Routine = {
  parameters: ['to', 'from', 'pairs', 'u', 'du'],
  vectors: ['a', 'b'],
  body: ({ get, set, add, forward }) => {
    const share = splatShort(bits(shiftRight(get('u'), number(8)), number(255)))
    const weights = addShorts(xor(share, shorts(-1, -1, -1, -1, 0, 0, 0, 0)), shorts(257, 257, 257, 257, 0, 0, 0, 0))
    const sample = timesShorts(loadShorts(plus(get('from'), shiftLeft(shiftRight(get('u'), number(16)), number(2)))), weights)
    const half = shorts(128, 128, 128, 128, 128, 128, 128, 128)
    const sum = addShorts(pickWords(get('a'), get('b'), [0, 1, 4, 5]), pickWords(get('a'), get('b'), [2, 3, 6, 7]))
    return [
      during(get('pairs'), [
        set('a', sample),
        add('u', get('du')),
        set('b', sample),
        add('u', get('du')),
        set('a', rightShorts(addShorts(sum, half), 8)),
        storeHalf(get('to'), packBytes(get('a'), get('a'))),
        forward({ to: 8, pairs: -1 }),
      ]),
    ]
  },
}

/** Computes the means of 2 x 2 floats from two rows, for `groups` times four results. */
const halve: Routine = {
  parameters: ['to', 'upper', 'lower', 'groups'],
  vectors: ['a', 'b'],
  body: ({ get, set, forward }) => {
    const both = (offset: number): Code => addFloats(loadVector(get('upper'), offset), loadVector(get('lower'), offset))
    const sum = addFloats(pickWords(get('a'), get('b'), [0, 2, 4, 6]), pickWords(get('a'), get('b'), [1, 3, 5, 7]))
    return [
      during(get('groups'), [
        set('a', both(0)),
        set('b', both(16)),
        storeVector(get('to'), timesFloats(sum, allFloats(0.25))),
        forward({ upper: 32, lower: 32, to: 16, groups: -1 }),
      ]),
    ]
  },
}

/** Computes ink lines from two rows of the same picture: `to` is slightly blurred and is replaced
 *  by the result, `wide` is blurred more. `shape` holds three floats: the share of `wide` that is
 *  subtracted, the factor for the difference, and the value added to it. Only pixels clearly darker
 *  than `wide` get ink, so slow changes such as clouds and shading stay blank. */
const ink: Routine = {
  parameters: ['to', 'wide', 'groups', 'shape'],
  vectors: ['near', 'far', 'line', 'step'],
  body: ({ get, set, forward }) => {
    const limited = (value: Code): Code => minFloats(maxFloats(value, allFloats(0)), allFloats(1))
    const eased = timesFloats(timesFloats(get('line'), get('line')), subFloats(allFloats(3), addFloats(get('line'), get('line'))))
    const rise = subFloats(subFloats(get('far'), get('near')), allFloats(0.5))
    const difference = subFloats(get('near'), timesFloats(get('far'), loadSplat(get('shape'))))
    return [
      set('groupsOfFour', shiftLeft(get('groups'), number(2))),
      during(get('groupsOfFour'), [
        set('near', loadVector(get('to'))),
        set('far', loadVector(get('wide'))),
        set('line', limited(addFloats(timesFloats(difference, loadSplat(get('shape'), 4)), loadSplat(get('shape'), 8)))),
        set('step', limited(timesFloats(rise, allFloats(0.7)))),
        storeVector(get('to'), timesFloats(eased, get('step'))),
        forward({ to: 16, wide: 16, groupsOfFour: -1 }),
      ]),
    ]
  },
  numbers: ['groupsOfFour'],
}

export const {
  along: weightedAlong,
  down: weightedDown,
  spread: spreadRow,
  spreadPixels: spreadPixelRow,
  halve: halveRow,
  ink: inkRow,
} = assemble({ along, down, spread, spreadPixels, halve, ink }, memory)
