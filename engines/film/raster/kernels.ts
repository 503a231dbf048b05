/** The inner loops of drawing, as WebAssembly. They work on rows of premultiplied RGBA pixels, four
 *  bytes each. Coordinates in a source picture are fixed-point numbers with 16 fraction bits. */
import {
  addShorts,
  addWords,
  assemble,
  bits,
  type Code,
  during,
  fixedProduct,
  highShorts,
  isAny,
  isLess,
  type Kernel,
  type Locals,
  loadShorts,
  loadSignedShorts,
  loadVector,
  lowShorts,
  type Memory,
  meanBytes,
  minus,
  number,
  packBytes,
  packShorts,
  pairProducts,
  pick,
  plus,
  type Routine,
  rightShorts,
  rightSignedShorts,
  rightWords,
  shiftLeft,
  shiftRight,
  shorts,
  splatShort,
  storeHalf,
  storeVector,
  storeWord,
  subShorts,
  times,
  timesShorts,
  when,
  xor,
} from '@generation-gateway/kit/simd/assembler.ts'

/** How a drawn pixel is combined with the pixel below it. `over` covers that pixel according to its
 *  alpha, `screen` and `lighter` add their light to it, `copy` replaces it. */
export type BlendMode = 'over' | 'screen' | 'lighter' | 'copy'

export interface Kernels {
  /** Draws `count` pixels from one row of a source picture. The first one comes from coordinate
   *  `u`, each further one from `du` further on. `alpha` is 0 to 256. */
  across: Record<BlendMode, (to: number, count: number, row: number, u: number, du: number, alpha: number) => void>
  /** Like `across`, but along any line of a source picture, whose rows are `stride` bytes apart.
   *  The line starts at (`u`, `v`) and advances by (`du`, `dv`) per pixel. */
  spots: Record<
    BlendMode,
    (
      ...values: [to: number, count: number, from: number, stride: number, u: number, v: number, du: number, dv: number, alpha: number]
    ) => void
  >
  /** Draws `rows` rows of a small source picture that is not rotated. The rows of the target
   *  surface are `toStride` bytes apart. */
  stamps: Record<
    BlendMode,
    (
      ...values: [
        to: number,
        count: number,
        from: number,
        stride: number,
        u: number,
        v: number,
        du: number,
        dv: number,
        alpha: number,
        toStride: number,
        rows: number,
      ]
    ) => void
  >
  /** Draws `groups` times four pixels, unscaled, over the pixels at `to`. */
  lay(to: number, from: number, groups: number): void
  /** Mixes two rows of `groups` times four pixels; `share` is the weight of the second row, 0 to
   *  256. */
  mix(to: number, a: number, b: number, groups: number, share: number): void
  /** Brightens or darkens `groups` times four pixels, mainly their middle tones. `amounts` is the
   *  address of 16-bit values per channel; 256 changes a middle tone by a quarter of the range. */
  light(to: number, groups: number, amounts: number): void
  /** Converts two rows of `groups` times 16 pixels to BT.709 in limited range (16 to 235). `gains`
   *  has a brightness factor for each block of 2x2 pixels (15 fraction bits). `noise0` and `noise1`
   *  have a byte of grain for each pixel of the two rows. */
  planes(
    ...values: [
      y0: number,
      y1: number,
      u: number,
      v: number,
      row0: number,
      row1: number,
      groups: number,
      gains: number,
      noise0: number,
      noise1: number,
    ]
  ): void
}

/** Compiles the kernels for a memory. */
export function kernelsOn(memory: Memory): Kernels {
  const byMode = (routineOf: (mode: BlendMode) => Routine): Record<BlendMode, Kernel> =>
    assemble({ over: routineOf('over'), screen: routineOf('screen'), lighter: routineOf('lighter'), copy: routineOf('copy') }, memory)
  return {
    across: byMode(acrossRoutine),
    spots: byMode(spotsRoutine),
    stamps: byMode(stampsRoutine),
    ...assemble({ lay, mix, light, planes }, memory),
  }
}

/** Returns the weights with which two neighbouring source pixels are mixed for a coordinate between
 *  them, in four 16-bit lanes for each of these two pixels. */
function weights(place: Code): Code {
  const share = splatShort(bits(shiftRight(place, number(8)), number(255)))
  return addShorts(xor(share, shorts(-1, -1, -1, -1, 0, 0, 0, 0)), shorts(257, 257, 257, 257, 0, 0, 0, 0))
}

const firstHalves = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23]
const secondHalves = firstHalves.map(index => index + 8)

/** Adds the two weighted neighbours of each pixel. Returns two pixels in 16-bit lanes. */
const joined = (a: Code, b: Code): Code => rightShorts(addShorts(pick(a, b, firstHalves), pick(a, b, secondHalves)), 8)

/** Returns the statements that blend `colour` (two pixels in 16-bit lanes) with the pixels at
 *  `to`. */
function blend(mode: BlendMode, { get, set }: Locals, store: (value: Code) => Code): Code[] {
  const colour = get('colour')
  if (mode === 'copy') return [store(packBytes(colour, colour))]
  const cover: Record<Exclude<BlendMode, 'copy'>, Code> = {
    over: pick(colour, colour, [6, 7, 6, 7, 6, 7, 6, 7, 14, 15, 14, 15, 14, 15, 14, 15]),
    screen: colour,
    lighter: shorts(0, 0, 0, 0, 0, 0, 0, 0),
  }
  const full = shorts(255, 255, 255, 255, 255, 255, 255, 255)
  const kept = rightShorts(addShorts(timesShorts(loadShorts(get('to')), subShorts(full, cover[mode])), full), 8)
  return [
    set('colour', rightShorts(timesShorts(colour, splatShort(get('alpha'))), 8)),
    when(isAny(colour), [set('sum', addShorts(colour, kept)), store(packBytes(get('sum'), get('sum')))]),
  ]
}

/** Returns a loop that draws two pixels at a time, and then the last pixel if their number is
 *  odd. */
function inPairs(mode: BlendMode, local: Locals, { sample, step }: { sample(name: string): Code; step: Code[] }): Code[] {
  const { get, set, forward } = local
  return [
    during(isLess(number(1), get('count')), [
      set('a', sample('a')),
      ...step,
      set('b', sample('b')),
      ...step,
      set('colour', joined(get('a'), get('b'))),
      ...blend(mode, local, value => storeHalf(get('to'), value)),
      forward({ to: 8, count: -2 }),
    ]),
    when(get('count'), [
      set('a', sample('a')),
      set('colour', joined(get('a'), get('a'))),
      ...blend(mode, local, value => storeWord(get('to'), value)),
    ]),
  ]
}

function acrossRoutine(mode: BlendMode): Routine {
  return {
    parameters: ['to', 'count', 'row', 'u', 'du', 'alpha'],
    vectors: ['a', 'b', 'colour', 'sum'],
    body: local => {
      const { get, add } = local
      const at = plus(get('row'), shiftLeft(shiftRight(get('u'), number(16)), number(2)))
      return inPairs(mode, local, { sample: () => timesShorts(loadShorts(at), weights(get('u'))), step: [add('u', get('du'))] })
    },
  }
}

const spotParameters = ['to', 'count', 'from', 'stride', 'u', 'v', 'du', 'dv', 'alpha']

/** Returns the statements that compute the address of a source coordinate, and load the pixel
 *  there, interpolated between its neighbours. */
function spot({ get, set }: Locals): Code {
  const row = plus(get('from'), times(shiftRight(get('v'), number(16)), get('stride')))
  const place: Code[] = [
    set('at', plus(row, shiftLeft(shiftRight(get('u'), number(16)), number(2)))),
    set('share', bits(shiftRight(get('v'), number(8)), number(255))),
  ]
  const upper = timesShorts(loadShorts(get('at')), splatShort(minus(number(256), get('share'))))
  const lower = timesShorts(loadShorts(plus(get('at'), get('stride'))), splatShort(get('share')))
  return [...place.flat(), ...timesShorts(rightShorts(addShorts(upper, lower), 8), weights(get('u')))]
}

function spotsRoutine(mode: BlendMode): Routine {
  return {
    parameters: spotParameters,
    numbers: ['at', 'share'],
    vectors: ['a', 'b', 'colour', 'sum'],
    body: local => {
      const { get, add } = local
      return inPairs(mode, local, { sample: () => spot(local), step: [add('u', get('du')), add('v', get('dv'))] })
    },
  }
}

function stampsRoutine(mode: BlendMode): Routine {
  return {
    parameters: [...spotParameters, 'toStride', 'rows'],
    numbers: ['at', 'share', 'firstTo', 'firstCount', 'firstU'],
    vectors: ['a', 'b', 'colour', 'sum'],
    body: local => {
      const { get, set, add } = local
      const row = inPairs(mode, local, { sample: () => spot(local), step: [add('u', get('du'))] })
      return [
        set('firstTo', get('to')),
        set('firstCount', get('count')),
        set('firstU', get('u')),
        during(get('rows'), [
          set('to', get('firstTo')),
          set('count', get('firstCount')),
          set('u', get('firstU')),
          ...row,
          add('v', get('dv')),
          add('firstTo', get('toStride')),
          add('rows', number(-1)),
        ]),
      ]
    },
  }
}

const lay: Routine = {
  parameters: ['to', 'from', 'groups'],
  vectors: ['colour', 'under', 'low', 'high'],
  body: ({ get, set, forward }) => {
    const full = shorts(255, 255, 255, 255, 255, 255, 255, 255)
    const covered = (half: (value: Code) => Code): Code => {
      const colour = half(get('colour'))
      const cover = pick(colour, colour, [6, 7, 6, 7, 6, 7, 6, 7, 14, 15, 14, 15, 14, 15, 14, 15])
      return addShorts(colour, rightShorts(addShorts(timesShorts(half(get('under')), subShorts(full, cover)), full), 8))
    }
    return [
      during(get('groups'), [
        set('colour', loadVector(get('from'))),
        when(isAny(get('colour')), [
          set('under', loadVector(get('to'))),
          set('low', covered(lowShorts)),
          set('high', covered(highShorts)),
          storeVector(get('to'), packBytes(get('low'), get('high'))),
        ]),
        forward({ to: 16, from: 16, groups: -1 }),
      ]),
    ]
  },
}

const mix: Routine = {
  parameters: ['to', 'a', 'b', 'groups', 'share'],
  vectors: ['first', 'second', 'from', 'into'],
  body: ({ get, set, add }) => {
    const mixed = (half: (value: Code) => Code): Code =>
      rightShorts(addShorts(timesShorts(half(get('from')), get('first')), timesShorts(half(get('into')), get('second'))), 8)
    return [
      set('first', splatShort(minus(number(256), get('share')))),
      set('second', splatShort(get('share'))),
      during(get('groups'), [
        set('from', loadVector(get('a'))),
        set('into', loadVector(get('b'))),
        storeVector(get('to'), packBytes(mixed(lowShorts), mixed(highShorts))),
        ...['to', 'a', 'b'].map(name => add(name, number(16))),
        add('groups', number(-1)),
      ]),
    ]
  },
}

const light: Routine = {
  parameters: ['to', 'groups', 'amounts'],
  vectors: ['force', 'from'],
  body: ({ get, set, forward }) => {
    const full = shorts(255, 255, 255, 255, 255, 255, 255, 255)
    const lit = (value: Code): Code =>
      addShorts(value, rightSignedShorts(timesShorts(rightShorts(timesShorts(value, subShorts(full, value)), 8), get('force')), 8))
    return [
      set('force', loadVector(get('amounts'))),
      during(get('groups'), [
        set('from', loadVector(get('to'))),
        storeVector(get('to'), packBytes(lit(lowShorts(get('from'))), lit(highShorts(get('from'))))),
        forward({ to: 16, groups: -1 }),
      ]),
    ]
  },
}

const evenWords = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27]
const oddWords = evenWords.map(index => index + 4)
/** Adds neighbouring 32-bit lanes of two vectors, and returns the sums. */
const pairSums = (a: Code, b: Code): Code => addWords(pick(a, b, evenWords), pick(a, b, oddWords))
/** Returns a weighted sum of red, green and blue for two pixels in 16-bit lanes. */
const weighted = (red: number, green: number, blue: number) => (pixels: Code) =>
  pairProducts(pixels, shorts(red, green, blue, 0, red, green, blue, 0))
// Coefficients of luma and of the colour differences of ITU-R BT.709-6, 3.2 to 3.4, with 15
// fraction bits. Of these, 7 remain after the shift by 8 bits.
const luma = weighted(5983, 20127, 2032)
const blueness = weighted(-1649, -5547, 7196)
const redness = weighted(7196, -6536, -660)

const planes: Routine = {
  parameters: ['y0', 'y1', 'u', 'v', 'row0', 'row1', 'groups', 'gains', 'noise0', 'noise1'],
  vectors: ['gain', 'p', 'q', 'r', 's', 'low', 'high', 'm', 'n'],
  body: ({ get, set, add }) => {
    const gainOf = (half: number) => {
      const from = [0, 1, 0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7, 6, 7].map(index => index + half * 8)
      return pick(get('gain'), get('gain'), from)
    }
    /** Returns the statements that compute the brightness of eight pixels of a row, in 16-bit
     *  lanes. */
    const bright = (row: string, noise: string, half: number): Code[] => [
      set('p', loadVector(get(row), half * 32)),
      set('q', loadVector(get(row), half * 32 + 16)),
      set('low', luma(lowShorts(get('p')))),
      set('high', luma(highShorts(get('p')))),
      set('m', rightWords(pairSums(get('low'), get('high')), 8)),
      set('low', luma(lowShorts(get('q')))),
      set('high', luma(highShorts(get('q')))),
      set('n', rightWords(pairSums(get('low'), get('high')), 8)),
      set('m', addShorts(fixedProduct(packShorts(get('m'), get('n')), gainOf(half)), splatShort(number(16 * 128 + 64)))),
      set('m', addShorts(rightSignedShorts(get('m'), 7), loadSignedShorts(get(noise), half * 8))),
    ]
    const brightRow = (row: string, noise: string, to: string): Code[] => [
      ...bright(row, noise, 0),
      set('r', get('m')),
      ...bright(row, noise, 1),
      storeVector(get(to), packBytes(get('r'), get('m'))),
    ]
    /** Returns the statements that add up blocks of 2x2 pixels: the mean of two rows, with
     *  horizontal neighbours added. Four columns give two sums. */
    const blocks = (to: string, offset: number): Code[] => [
      set('p', meanBytes(loadVector(get('row0'), offset), loadVector(get('row1'), offset))),
      set('low', lowShorts(get('p'))),
      set('high', highShorts(get('p'))),
      set(to, addShorts(pick(get('low'), get('high'), firstHalves), pick(get('low'), get('high'), secondHalves))),
    ]
    const coloured = (of: (pixels: Code) => Code, to: string): Code[] => [
      set('low', of(get('m'))),
      set('high', of(get('n'))),
      set('p', rightWords(pairSums(get('low'), get('high')), 8)),
      set('low', of(get('r'))),
      set('high', of(get('s'))),
      set('q', rightWords(pairSums(get('low'), get('high')), 8)),
      set('p', addShorts(fixedProduct(packShorts(get('p'), get('q')), get('gain')), splatShort(number(128 * 128 + 64)))),
      set('p', rightShorts(get('p'), 7)),
      storeHalf(get(to), packBytes(get('p'), get('p'))),
    ]
    return [
      during(get('groups'), [
        set('gain', loadVector(get('gains'))),
        ...brightRow('row0', 'noise0', 'y0'),
        ...brightRow('row1', 'noise1', 'y1'),
        ...['m', 'n', 'r', 's'].flatMap((name, index) => blocks(name, index * 16)),
        ...coloured(blueness, 'u'),
        ...coloured(redness, 'v'),
        ...['y0', 'y1', 'gains', 'noise0', 'noise1'].map(name => add(name, number(16))),
        ...['u', 'v'].map(name => add(name, number(8))),
        ...['row0', 'row1'].map(name => add(name, number(64))),
        add('groups', number(-1)),
      ]),
    ]
  },
}
