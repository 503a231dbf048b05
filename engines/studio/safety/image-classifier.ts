import sharp, { type Sharp } from 'sharp'
import { type ImageScores, summariseScores } from './image-rules.ts'
import { type Network, networkSide, openNetwork } from './network.ts'

/** A picture: RGBA pixels (8 bits, not premultiplied, row by row), the bytes of a file, or the path
 *  of a file (JPEG, PNG, WebP, GIF, TIFF, AVIF; a BMP file has to be decoded to pixels first). */
type ImageInput = { readonly pixels: Uint8Array | Uint8ClampedArray; readonly width: number; readonly height: number } | Buffer | string

/** How the scores of a long picture are combined: it is classified whole and in pieces. `worst`,
 *  for uploaded pictures, returns the scores of the most explicit or suggestive of these parts.
 *  `average`, for pictures that the studio drew, returns the mean of all scores. The studio's
 *  pictures consist of harmless drawings, but the classifier sometimes mistakes a slice of a
 *  landscape for skin (3 of 26 prompts at 128x1024 pixels). */
type LooksThatCount = 'worst' | 'average'

/** Distinguishes harmless from sexual pictures. It does not detect violence, symbols or age. */
export interface ImageClassifier {
  /** Returns the class scores of a picture. Transparent parts count as white, and only the first
   *  frame of an animation is classified. A picture more than twice as long as wide is also
   *  classified in up to eight pieces, and `counts` says how the scores are combined. Whenever a
   *  score is suspiciously explicit, the mirror image is classified, too, and the mean of both
   *  scores counts. The same pixels give the same scores. Throws when the picture cannot be
   *  decoded. One run of the network takes about 20 ms on one core. */
  classify(image: ImageInput, counts?: LooksThatCount): Promise<ImageScores>
  /** Frees the model's memory. */
  close(): Promise<void>
}

// The classifier expects squares, and was trained on pictures squashed to squares. When a picture
// is longer than 2:1, squashing makes a person too thin to be recognised.
const longestSquashedRatio = 2
const mostPieces = 8
// Largest distance between the starts of two pieces of a strip of up to 12:1, in widths of the
// strip. A piece is 2 widths long, so pieces overlap, and a person who is cut off at the end of one
// piece is whole in the next. The pieces of a strip of more than 16:1 are longer and only touch.
const pieceStep = 1.5

// When `porn` and `hentai` add up to more than this, the mirror image is classified, too, and the
// mean of both scores counts. A false alarm on a drawing seldom occurs in both images; an explicit
// picture scores high in both.
const suspicious = 0.3

/** Opens the classifier and runs it once on a black picture, because the first run is slow. Prints
 *  nothing. Meant for an engine's child process. The caller closes the classifier. */
export async function openClassifier(): Promise<ImageClassifier> {
  const network = await openNetwork()
  await network.run(new Uint8Array(networkSide * networkSide * 3))
  return {
    async classify(image, counts = 'worst') {
      const looks: ImageScores[] = []
      for (const rgb of await cutLooks(image)) looks.push(await lookTwice(network, rgb))
      if (counts === 'average') return averageOf(looks)
      return looks.reduce((worst, look) => (riskOf(look) > riskOf(worst) ? look : worst))
    },
    close: () => network.close(),
  }
}

async function lookTwice(network: Network, rgb: Uint8Array): Promise<ImageScores> {
  const first = await network.run(rgb)
  if (summariseScores(nameScores(first)).explicit <= suspicious) return nameScores(first)
  const second = await network.run(mirror(rgb))
  return nameScores(first.map((score, index) => (score + second[index]!) / 2))
}

function mirror(rgb: Uint8Array): Uint8Array {
  const mirrored = new Uint8Array(rgb.length)
  for (let pixel = 0; pixel < networkSide * networkSide; pixel++) {
    const column = pixel % networkSide
    const target = (pixel - column + networkSide - 1 - column) * 3
    mirrored.set(rgb.subarray(pixel * 3, pixel * 3 + 3), target)
  }
  return mirrored
}

function averageOf(looks: readonly ImageScores[]): ImageScores {
  const mean = (name: keyof ImageScores) => looks.reduce((sum, look) => sum + look[name], 0) / looks.length
  return { drawing: mean('drawing'), hentai: mean('hentai'), neutral: mean('neutral'), porn: mean('porn'), sexy: mean('sexy') }
}

function riskOf(scores: ImageScores): number {
  const { explicit, suggestive } = summariseScores(scores)
  return explicit + suggestive
}

function nameScores([drawing = 0, hentai = 0, neutral = 0, porn = 0, sexy = 0]: Float32Array): ImageScores {
  return { drawing, hentai, neutral, porn, sexy }
}

/** Returns the squares to classify, each as `networkSide` x `networkSide` pixels of three bytes:
 *  first the whole picture squashed to a square; then, if the picture is longer than 2:1, its
 *  pieces. */
async function cutLooks(image: ImageInput): Promise<Uint8Array[]> {
  const picture = openImage(image).autoOrient().flatten({ background: '#ffffff' }).toColourspace('srgb').removeAlpha()
  const {
    autoOrient: { width, height },
  } = await picture.metadata()
  const ratio = Math.max(width, height) / Math.min(width, height)
  if (ratio <= longestSquashedRatio) return [await squash(picture)]
  return cutStrip(picture, ratio, width > height)
}

function openImage(image: ImageInput): Sharp {
  if (typeof image === 'string' || Buffer.isBuffer(image)) return sharp(image)
  return sharp(image.pixels, { raw: { width: image.width, height: image.height, channels: 4 } })
}

async function squash(picture: Sharp): Promise<Uint8Array> {
  return picture.resize(networkSide, networkSide, { fit: 'fill' }).raw().toBuffer()
}

/** Resizes a long picture to a strip with a short side of `networkSide` pixels, and cuts it into
 *  evenly spaced pieces that cover all of it (see `pieceStep`). Returns the strip and the pieces,
 *  each squashed to a square. The strip is at most 16 times as long as wide, which is all that the
 *  squashed pieces show: a picture of 16384x1 would become a strip of 2.5 GB. */
async function cutStrip(picture: Sharp, ratio: number, isWide: boolean): Promise<Uint8Array[]> {
  const length = Math.round(networkSide * Math.min(ratio, mostPieces * longestSquashedRatio))
  const [width, height] = isWide ? [length, networkSide] : [networkSide, length]
  const strip = await picture.resize(width, height, { fit: 'fill' }).raw().toBuffer()
  const open = () => sharp(strip, { raw: { width, height, channels: 3 } })
  const count = Math.min(mostPieces, Math.ceil(ratio / pieceStep))
  const pieceLength = Math.ceil(Math.max(networkSide * longestSquashedRatio, length / count))
  const pieces = Array.from({ length: count }, (_, index) => {
    const start = Math.round(((length - pieceLength) * index) / (count - 1))
    const region = isWide
      ? { left: start, top: 0, width: pieceLength, height: networkSide }
      : { left: 0, top: start, width: networkSide, height: pieceLength }
    return open().extract(region)
  })
  return Promise.all([open(), ...pieces].map(squash))
}
