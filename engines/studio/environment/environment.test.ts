import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { leastCpuMs } from '@generation-gateway/kit/testing/cpu-time.ts'
import { createCanvas } from '@napi-rs/canvas'
import type { Environment } from '../drawing.ts'
import { createRandom } from '../random.ts'
import { type Camera, type Scene, type SettingKind, settingKinds, type TimeOfDay, type Weather } from '../scene.ts'
import { assertRecorded, recordDrawing } from '../testing/record-drawing.ts'
import { paintEnvironment } from './environment.ts'

interface Options {
  width?: number
  height?: number
  time?: TimeOfDay
  weather?: Weather[]
  details?: string[]
  camera?: Partial<Camera>
  seed?: string
  colour?: string
}

function sceneOf(kind: SettingKind, options: Options): Scene {
  const { colour } = options
  return {
    version: 1,
    prompt: kind,
    language: 'en',
    seed: options.seed ?? '7',
    setting: {
      kind,
      words: kind,
      details: options.details ?? [],
      ...(colour === undefined ? {} : { colour: { hex: colour, name: 'own' } }),
    },
    time: options.time ?? 'day',
    season: 'summer',
    weather: options.weather ?? ['clear'],
    style: 'illustration',
    moods: [],
    camera: { framing: 'full', angle: 'eye', bokeh: false, ...options.camera },
    subjects: [],
    letterings: [],
    extras: 0.5,
    notDrawn: [],
  }
}

interface Picture {
  environment: Environment
  pixels: Uint8ClampedArray
  width: number
  height: number
}

/** Digests of the canvas calls of all pictures that the tests paint, by place and options. */
const digests = new Map<string, string>()
/** The pictures themselves. A picture that several tests look at is painted once. */
const painted = new Map<string, Picture>()

/** Size in pixels of a picture whose size no test chooses. */
const usualSize = 160

/** Returns the picture of a place. Paints it when no test has asked for it before. */
function paint(kind: SettingKind, { time, width, height, ...others }: Options = {}): Picture {
  const isUsual = width === usualSize && height === usualSize
  const options: Options = {
    ...others,
    ...(time === undefined || time === 'day' ? {} : { time }),
    ...(isUsual || width === undefined || height === undefined ? {} : { width, height }),
  }
  const name = `${kind}${JSON.stringify(options)}`
  const picture = painted.get(name) ?? paintAgain(kind, options)
  painted.set(name, picture)
  return picture
}

/** Paints a place and records the digest of its canvas calls. */
function paintAgain(kind: SettingKind, options: Options): Picture {
  const { digest, result } = recordDrawing(() => paintUnrecorded(kind, options))
  digests.set(`${kind}${JSON.stringify(options)}`, digest)
  return result
}

function paintUnrecorded(kind: SettingKind, options: Options = {}): Picture {
  const width = options.width ?? usualSize
  const height = options.height ?? usualSize
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  const environment = paintEnvironment({ width, height, scene: sceneOf(kind, options), random: createRandom(options.seed ?? '7') })
  environment.paintBack(context)
  environment.paintFront(context)
  return { environment, pixels: context.getImageData(0, 0, width, height).data, width, height }
}

function lightness(pixels: Uint8ClampedArray): number[] {
  return Array.from(
    { length: pixels.length / 4 },
    (_, i) => 0.299 * pixels[i * 4]! + 0.587 * pixels[i * 4 + 1]! + 0.114 * pixels[i * 4 + 2]!,
  )
}

function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length
}

function deviation(values: readonly number[]): number {
  const middle = mean(values)
  return Math.sqrt(mean(values.map(value => (value - middle) ** 2)))
}

/** Returns the mean absolute difference of two pictures of the same size, 0 to 255. */
function difference(a: Uint8ClampedArray, b: Uint8ClampedArray): number {
  assert.equal(a.length, b.length)
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!)
  return sum / a.length
}

const sizes = [
  [usualSize, usualSize],
  [240, 112],
] as const

describe('every setting', () => {
  for (const [index, kind] of settingKinds.entries()) {
    const [width, height] = sizes[index % sizes.length]!
    test(`${kind} covers a ${width}x${height} picture with something to see`, () => {
      const { pixels } = paint(kind, { width, height })
      assert.equal(
        pixels.findIndex((value, at) => at % 4 === 3 && value !== 255),
        -1,
        'a pixel is transparent',
      )
      assert.ok(deviation(lightness(pixels)) > (kind === 'backdrop' ? 2 : 9), 'the picture is blank')
    })
  }

  for (const kind of settingKinds) {
    test(`${kind} has ground, horizon and scale that agree at any ratio`, () => {
      for (const [width, height] of [
        [256, 256],
        [512, 64],
        [64, 512],
      ] as const) {
        const scene = sceneOf(kind, {})
        const { horizonY, ground, pixelsPerMetre } = paintEnvironment({ width, height, scene, random: createRandom('1') })
        const short = Math.min(width, height)
        assert.ok(ground.farY < ground.nearY && ground.nearY <= height && ground.farY >= 0, `ground ${ground.farY}..${ground.nearY}`)
        assert.ok(horizonY < ground.nearY, `horizon ${horizonY} below the ground at ${ground.nearY}`)
        assert.ok(pixelsPerMetre(ground.farY) < pixelsPerMetre(ground.nearY), 'far things are not smaller')
        const person = (pixelsPerMetre(ground.nearY) * 1.7) / short
        assert.ok(person > 0.05 && person < 5, `a person measures ${person} short sides`)
      }
    })
  }
})

describe('scale', () => {
  test('a person fills about half of the short side in a full view of everyday places', () => {
    for (const kind of ['meadow', 'field', 'garden', 'park', 'forest', 'room', 'kitchen', 'cafe', 'library'] as const) {
      const { environment } = paint(kind)
      const share = (environment.pixelsPerMetre(environment.ground.nearY) * 1.7) / 160
      assert.ok(share >= 0.44 && share <= 0.56, `${kind}: ${share}`)
    }
  })

  test('a cup of 0.1 m is about a quarter of the short side on a table', () => {
    for (const kind of ['table', 'window-table', 'shelf'] as const) {
      const { environment } = paint(kind)
      const share = (environment.pixelsPerMetre(environment.ground.nearY) * 0.1) / 160
      assert.ok(share > 0.2 && share < 0.3, `${kind}: ${share}`)
    }
  })

  test('closer framings enlarge and wider ones shrink', () => {
    const at = (framing: Camera['framing']) => {
      const { environment } = paint('meadow', { camera: { framing } })
      return environment.pixelsPerMetre(environment.ground.nearY)
    }
    const scales = (['close-up', 'medium', 'full', 'wide', 'panorama'] as const).map(at)
    for (let i = 1; i < scales.length; i++) assert.ok(scales[i]! < scales[i - 1]!)
  })

  test('a view from the top has no horizon, and a low one has a lower horizon than at eye level', () => {
    const row = (angle: Camera['angle']) => paint('meadow', { camera: { angle } }).environment.horizonY
    assert.ok(row('top') < 0)
    assert.ok(row('low') > row('eye'))
    assert.ok(row('high') < row('eye'))
    assert.ok(row('aerial') < row('high'))
  })
})

describe('light and weather', () => {
  for (const kind of ['meadow', 'forest', 'mountains', 'beach', 'city', 'street', 'village', 'room', 'underwater', 'lake'] as const) {
    test(`${kind} is darker at night than by day`, () => {
      const day = mean(lightness(paint(kind, { time: 'day' }).pixels))
      const night = mean(lightness(paint(kind, { time: 'night' }).pixels))
      assert.ok(night < day * 0.86, `${night.toFixed(1)} against ${day.toFixed(1)}`)
    })
  }

  for (const weather of ['cloudy', 'overcast', 'rain', 'storm', 'lightning', 'snow', 'fog', 'wind', 'rainbow', 'aurora'] as const) {
    test(`${weather} changes a meadow`, () => {
      const options: Options = weather === 'aurora' ? { time: 'night' } : {}
      const clear = paint('meadow', options).pixels
      const changed = paint('meadow', { ...options, weather: [weather] }).pixels
      assert.ok(difference(clear, changed) > 0.6)
    })
  }

  test('covered skies cast weak shadows and the sun hard ones', () => {
    const shadow = (weather: Weather) => paint('meadow', { weather: [weather] }).environment.light.shadow
    assert.ok(shadow('clear') > 0.8)
    assert.ok(shadow('overcast') < 0.3)
    assert.ok(shadow('fog') < 0.3)
  })

  test('a colour for the place is visible', () => {
    const red = paint('backdrop', { colour: '#c03020' }).pixels
    const blue = paint('backdrop', { colour: '#2040c0' }).pixels
    const tint = (pixels: Uint8ClampedArray) =>
      mean(Array.from({ length: pixels.length / 4 }, (_, i) => pixels[i * 4]! - pixels[i * 4 + 2]!))
    assert.ok(tint(red) > 60)
    assert.ok(tint(blue) < -60)
  })

  test('a moon that the prompt names is not hidden by summits or clouds, also where there is little sky', () => {
    const disc = Math.PI * (0.056 * 160) ** 2
    for (const kind of ['lake', 'mountains', 'hills'] as const)
      for (const seed of ['1', '2', '3', '4'])
        for (const angle of ['eye', 'high'] as const) {
          const options: Options = { time: 'night', weather: ['cloudy'], details: ['moon'], camera: { angle }, seed }
          const white = lightness(paintUnrecorded(kind, options).pixels).filter(value => value > 165).length
          assert.ok(white > disc * 0.5, `${kind}, seed ${seed}, ${angle}: ${white} of ${Math.round(disc)} pixels are as light as the moon`)
        }
  })

  test('neon lights up a city at night', () => {
    const plain = paint('city', { time: 'night' }).pixels
    const neon = paint('city', { time: 'night', details: ['neon'] }).pixels
    const colourful = (pixels: Uint8ClampedArray) =>
      mean(
        Array.from(
          { length: pixels.length / 4 },
          (_, i) =>
            Math.max(pixels[i * 4]!, pixels[i * 4 + 1]!, pixels[i * 4 + 2]!) -
            Math.min(pixels[i * 4]!, pixels[i * 4 + 1]!, pixels[i * 4 + 2]!),
        ),
      )
    assert.ok(colourful(neon) > colourful(plain))
  })
})

describe('repeatability', () => {
  for (const kind of ['forest', 'city', 'space', 'abstract', 'window-table'] as const) {
    test(`${kind} is equal for the same seed and different for the next`, () => {
      const first = paint(kind, { seed: '11', weather: ['rain'] }).pixels
      const again = paintAgain(kind, { seed: '11', weather: ['rain'] }).pixels
      const other = paint(kind, { seed: '12', weather: ['rain'] }).pixels
      assert.equal(difference(first, again), 0)
      assert.ok(difference(first, other) > 1)
    })
  }

  for (const kind of ['mountains', 'beach', 'kitchen', 'space'] as const) {
    test(`${kind} looks the same at 256 and at 512 pixels`, () => {
      const small = paint(kind, { width: 256, height: 256 })
      const large = paint(kind, { width: 512, height: 512 })
      assert.ok(difference(shrink(small, 32), shrink(large, 32)) < 7)
    })
  }

  function shrink(picture: Picture, size: number): Uint8ClampedArray {
    const source = createCanvas(picture.width, picture.height)
    const ink = source.getContext('2d')
    const image = ink.createImageData(picture.width, picture.height)
    image.data.set(picture.pixels)
    ink.putImageData(image, 0, 0)
    const canvas = createCanvas(size, size)
    const context = canvas.getContext('2d')
    context.imageSmoothingQuality = 'medium'
    context.drawImage(source, 0, 0, size, size)
    return context.getImageData(0, 0, size, size).data
  }
})

describe('extremes', () => {
  for (const [width, height, kinds] of [
    [64, 64, ['meadow', 'city', 'sea', 'space']],
    [1536, 96, ['mountains', 'room', 'city']],
    [96, 1536, ['meadow', 'table', 'space']],
    [4096, 64, ['mountains', 'sea', 'room']],
  ] as const) {
    test(`a ${width}x${height} picture is painted to its edges`, () => {
      for (const kind of kinds) {
        const { pixels } = paint(kind, { width, height })
        for (let i = 3; i < pixels.length; i += 4 * 61) assert.equal(pixels[i], 255, kind)
        assert.ok(deviation(lightness(pixels)) > 6, kind)
      }
    })
  }

  test('a very wide picture joins its tiles without a seam', () => {
    const { pixels, width, height } = paint('mountains', { width: 1600, height: 80 })
    const step = (x: number) => {
      let sum = 0
      for (let y = 0; y < height; y++) sum += Math.abs(pixels[(y * width + x) * 4 + 1]! - pixels[(y * width + x - 1) * 4 + 1]!)
      return sum / height
    }
    const steps = Array.from({ length: width - 1 }, (_, i) => step(i + 1))
    assert.ok(Math.max(...steps) < mean(steps) * 6 + 6)
  })

  test('a shallow focus blurs the distance and leaves the near ground sharp', () => {
    const sharpness = (picture: Picture, from: number, to: number) => {
      const values = lightness(picture.pixels)
      let sum = 0
      for (let y = Math.floor(from * 256); y < to * 256; y++)
        for (let x = 1; x < 256; x++) sum += Math.abs(values[y * 256 + x]! - values[y * 256 + x - 1]!)
      return sum
    }
    const sharp = paint('forest', { width: 256, height: 256 })
    const soft = paint('forest', { width: 256, height: 256, camera: { bokeh: true } })
    assert.ok(sharpness(soft, 0.3, 0.55) < sharpness(sharp, 0.3, 0.55) * 0.5)
    assert.ok(sharpness(soft, 0.93, 0.99) > sharpness(sharp, 0.93, 0.99) * 0.8)
  })

  test('a 1024 px meadow takes at most three times its budget of 600 ms of processor time', () => {
    assert.ok(leastCpuMs(() => paintUnrecorded('meadow', { width: 1024, height: 1024 }), 1800) < 1800)
  })
})

test('places contain their usual things: cars on the road and in bays, pews in a church, shelves along an aisle', () => {
  const cases: [SettingKind, string[], string[]][] = [
    ['road', ['traffic'], []],
    ['road', ['parking', 'parked'], ['parking']],
    ['room', ['church'], ['hallway']],
    ['shop', ['aisle'], []],
    ['field', ['plowed'], []],
  ]
  for (const [kind, details, others] of cases) {
    const full = lightness(paint(kind, { details }).pixels)
    const empty = lightness(paint(kind, { details: others }).pixels)
    const changed = full.filter((value, at) => Math.abs(value - empty[at]!) > 12).length / full.length
    assert.ok(changed > 0.06, `${kind} ${details}: ${changed.toFixed(3)} of the picture differs`)
  }
})

test('a city from the air has blocks of houses and streets up to the horizon', () => {
  const { pixels, width, height } = paint('city', { camera: { angle: 'aerial' } })
  const values = lightness(pixels)
  const band = (from: number, to: number) => values.slice(Math.round(from * height) * width, Math.round(to * height) * width)
  for (const [from, to] of [
    [0.35, 0.6],
    [0.6, 0.98],
  ] as const)
    assert.ok(deviation(band(from, to)) > 12, `${from}: ${deviation(band(from, to))}`)
})

test('every place of the tests above has its recorded pixels', () => assertRecorded('places.txt', digests))
