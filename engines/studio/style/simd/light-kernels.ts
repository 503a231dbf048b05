/** WebAssembly loops that measure and change the brightness of rows of straight-alpha RGBA pixels
 *  (0 to 255). Each loop processes `groups` groups of four pixels. If the row's length is not a
 *  multiple of four, bytes after its end are written, too. */
import {
  absFloats,
  addFloats,
  addShorts,
  allFloats,
  allWords,
  assemble,
  both,
  type Code,
  during,
  fixedProduct,
  floatsOf,
  highShorts,
  loadSplat,
  loadVector,
  lowShorts,
  maxFloats,
  minFloats,
  nearestFloats,
  number,
  overFloats,
  packBytes,
  packShorts,
  pick,
  type Routine,
  rightShorts,
  rightWords,
  shorts,
  splatShort,
  storeVector,
  subFloats,
  subShorts,
  timesFloats,
  timesShorts,
  wordsOf,
} from '@generation-gateway/kit/simd/assembler.ts'
import { withAlphaOf } from './pixel-kernels.ts'
import { memory } from './room.ts'

/** Returns one channel of four pixels as floats. */
function channel(pixels: Code, index: number): Code {
  return floatsOf(both(index === 0 ? pixels : rightWords(pixels, index * 8), allWords(255)))
}

function weighted(pixels: Code, weights: readonly Code[]): Code {
  return weights
    .map((weight, index) => timesFloats(channel(pixels, index), weight))
    .reduce<Code>((sum, each) => addFloats(sum, each), allFloats(0))
}

const luma = [0.299, 0.587, 0.114].map(allFloats)
const eight = (value: number): Code => shorts(...new Array<number>(8).fill(value))

/** Returns eight 16-bit lanes for two of the four pixels (`half` 0 or 1). Each colour lane holds
 *  the value of its pixel; alpha lanes hold 0. */
function spreadOver(value: Code, half: number): Code {
  const [a, b] = [half * 4, half * 4 + 2]
  return both(
    pick(value, value, [a, a + 1, a, a + 1, a, a + 1, a, a + 1, b, b + 1, b, b + 1, b, b + 1, b, b + 1]),
    shorts(-1, -1, -1, 0, -1, -1, -1, 0),
  )
}

/** Returns the pixels with a value added to the three colours of each. `steps` holds the four
 *  values (32 bits each), one per pixel. `local` keeps an intermediate result in a variable. */
function brightened(pixels: Code, steps: Code, local: { keep(value: Code): Code; kept: Code }): Code {
  const half = (of: (value: Code) => Code, index: number): Code => addShorts(of(pixels), spreadOver(local.kept, index))
  return [...local.keep(packShorts(steps, steps)), ...packBytes(half(lowShorts, 0), half(highShorts, 1))]
}

/** Writes the weighted sum of red, green and blue of each pixel as a float; `weights` is the
 *  address of three floats. */
const weigh: Routine = {
  parameters: ['to', 'from', 'groups', 'weights'],
  vectors: ['pixels', 'red', 'green', 'blue'],
  body: ({ get, set, forward }) => [
    ...['red', 'green', 'blue'].map((name, index) => set(name, loadSplat(get('weights'), index * 4))),
    during(get('groups'), [
      set('pixels', loadVector(get('from'))),
      storeVector(get('to'), weighted(get('pixels'), [get('red'), get('green'), get('blue')])),
      forward({ to: 16, from: 16, groups: -1 }),
    ]),
  ],
}

/** Writes a weighted mean of two rows of floats. `share` is the address of the weight of the second
 *  row, 0 to 1. */
const mix: Routine = {
  parameters: ['to', 'a', 'b', 'groups', 'share'],
  vectors: ['first', 'part'],
  body: ({ get, set, add }) => [
    set('part', loadSplat(get('share'))),
    during(get('groups'), [
      set('first', loadVector(get('a'))),
      storeVector(get('to'), addFloats(get('first'), timesFloats(subFloats(loadVector(get('b')), get('first')), get('part')))),
      ...['to', 'a', 'b'].map(name => add(name, number(16))),
      add('groups', number(-1)),
    ]),
  ],
}

/** Adds the colours of another row (`from`) in screen mode, which only brightens. `gain` is 257
 *  times the strength of the effect. Alpha does not change. */
const screen: Routine = {
  parameters: ['to', 'from', 'groups', 'gain'],
  vectors: ['own', 'light', 'share'],
  body: ({ get, set, forward }) => {
    const lit = (half: (value: Code) => Code): Code => {
      const product = timesShorts(subShorts(eight(255), half(get('own'))), half(get('light')))
      return addShorts(half(get('own')), fixedProduct(rightShorts(product, 1), get('share')))
    }
    return [
      set('share', splatShort(get('gain'))),
      during(get('groups'), [
        set('own', loadVector(get('to'))),
        set('light', loadVector(get('from'))),
        storeVector(get('to'), withAlphaOf(get('own'), packBytes(lit(lowShorts), lit(highShorts)))),
        forward({ to: 16, from: 16, groups: -1 }),
      ]),
    ]
  },
}

/** Multiplies the colours of each pixel by a float of 0 to 1. Alpha does not change. */
const shade: Routine = {
  parameters: ['to', 'factors', 'groups'],
  vectors: ['own', 'factor'],
  body: ({ get, set, forward }) => {
    const factor = wordsOf(timesFloats(loadVector(get('factors')), allFloats(32_767)))
    const shaded = (half: (value: Code) => Code, index: number): Code => {
      const product = fixedProduct(timesShorts(half(get('own')), eight(128)), spreadOver(get('factor'), index))
      return rightShorts(addShorts(product, eight(64)), 7)
    }
    return [
      during(get('groups'), [
        set('own', loadVector(get('to'))),
        set('factor', packShorts(factor, factor)),
        storeVector(get('to'), withAlphaOf(get('own'), packBytes(shaded(lowShorts, 0), shaded(highShorts, 1)))),
        forward({ to: 16, factors: 16, groups: -1 }),
      ]),
    ]
  },
}

/** Adds grain to the colours, strongest in the midtones. `strength` is the address of the largest
 *  change, in steps of 1/255. Alpha does not change. */
const grain: Routine = {
  parameters: ['to', 'noise', 'groups', 'strength'],
  vectors: ['own', 'light', 'full', 'steps'],
  body: ({ get, set, forward }) => {
    const middle = timesFloats(timesFloats(get('light'), subFloats(allFloats(1), get('light'))), allFloats(2.6))
    const amount = timesFloats(timesFloats(loadVector(get('noise')), get('full')), addFloats(middle, allFloats(0.35)))
    return [
      set('full', loadSplat(get('strength'))),
      during(get('groups'), [
        set('own', loadVector(get('to'))),
        set('light', timesFloats(channel(get('own'), 1), allFloats(1 / 255))),
        set('steps', wordsOf(nearestFloats(amount))),
        storeVector(get('to'), brightened(get('own'), get('steps'), { keep: value => set('steps', value), kept: get('steps') })),
        forward({ to: 16, noise: 16, groups: -1 }),
      ]),
    ]
  },
}

/** Increases the difference in brightness between each pixel and its surroundings. `around` is a
 *  row of the blurred, premultiplied picture. The change is strongest in the midtones, and at most
 *  28 of 255. `strength` is the address of the factor. Alpha does not change. */
const clarify: Routine = {
  parameters: ['to', 'around', 'groups', 'strength'],
  vectors: ['own', 'other', 'light', 'share', 'steps'],
  body: ({ get, set, forward }) => {
    const distance = absFloats(subFloats(get('light'), allFloats(128)))
    const middle = subFloats(allFloats(1), timesFloats(distance, allFloats(1 / 128)))
    const cover = maxFloats(channel(get('other'), 3), allFloats(1))
    const around = timesFloats(weighted(get('other'), luma), overFloats(allFloats(255), cover))
    const change = timesFloats(timesFloats(subFloats(get('light'), around), get('share')), middle)
    return [
      set('share', loadSplat(get('strength'))),
      during(get('groups'), [
        set('own', loadVector(get('to'))),
        set('other', loadVector(get('around'))),
        set('light', weighted(get('own'), luma)),
        set('steps', wordsOf(nearestFloats(minFloats(maxFloats(change, allFloats(-28)), allFloats(28))))),
        storeVector(get('to'), brightened(get('own'), get('steps'), { keep: value => set('steps', value), kept: get('steps') })),
        forward({ to: 16, around: 16, groups: -1 }),
      ]),
    ]
  },
}

export const {
  weigh: weighPixelRow,
  mix: mixFloatRows,
  screen: screenRow,
  shade: shadeRow,
  grain: grainRow,
  clarify: clarifyRow,
} = assemble({ weigh, mix, screen, shade, grain, clarify }, memory)
