import type { Plane, Raster } from '../style/pixels.ts'

/** The colours of an area, described as a mixture of Gaussian distributions. `spread` is the
 *  variance of each channel; the channels are treated as independent. */
interface ColourModel {
  clusters: { share: number; mean: [number, number, number]; spread: [number, number, number] }[]
}

/** Returns the colour model of the pixels of a raster, each weighted by 0 to 1; `count` is the
 *  largest number of Gaussians. Undefined when the weights leave fewer than 40 samples. */
export function fitColours(raster: Raster, weights: Plane, count: number): ColourModel | undefined {
  const samples = collect(raster, weights)
  if (samples.length < 40) return undefined
  let centres = startCentres(samples, count)
  for (let round = 0; round < 6; round++) centres = moveCentres(samples, centres)
  return { clusters: describe(samples, centres) }
}

/** Returns how badly a colour fits the model: the negative logarithm of its likelihood. */
export function colourCost(model: ColourModel, r: number, g: number, b: number): number {
  let density = 1e-12
  for (const { share, mean, spread } of model.clusters) {
    const distance = (r - mean[0]) ** 2 / spread[0] + (g - mean[1]) ** 2 / spread[1] + (b - mean[2]) ** 2 / spread[2]
    if (distance < 40) density += (share * Math.exp(-distance / 2)) / Math.sqrt(spread[0] * spread[1] * spread[2])
  }
  return -Math.log(density)
}

interface Sample {
  c: [number, number, number]
  w: number
}

function collect(raster: Raster, weights: Plane): Sample[] {
  const out: Sample[] = []
  const step = Math.max(1, Math.floor(weights.data.length / 12000))
  for (let i = 0; i < weights.data.length; i += step) {
    const w = weights.data[i]!
    if (w > 0.3) out.push({ c: [raster.data[i * 4]!, raster.data[i * 4 + 1]!, raster.data[i * 4 + 2]!], w })
  }
  return out
}

/** Returns the initial centres of the clusters. Each further centre is the sample for which the
 *  distance from the centres chosen before, times the sample's weight, is largest, so that a
 *  small area of a distinct colour gets its own cluster. There are fewer than `count` centres
 *  when no sample is far enough from the others. */
function startCentres(samples: Sample[], count: number): Sample['c'][] {
  const centres: Sample['c'][] = [samples[samples.length >> 1]!.c]
  const away = samples.map(() => Number.POSITIVE_INFINITY)
  while (centres.length < count) {
    const latest = centres[centres.length - 1]!
    let furthest = 0
    samples.forEach((sample, i) => {
      away[i] = Math.min(away[i]!, distance(sample.c, latest))
      if (away[i]! * sample.w > away[furthest]! * samples[furthest]!.w) furthest = i
    })
    if (away[furthest]! < 60) break
    centres.push(samples[furthest]!.c)
  }
  return centres
}

function moveCentres(samples: Sample[], centres: Sample['c'][]): Sample['c'][] {
  const sums = centres.map(() => [0, 0, 0, 0])
  for (const { c, w } of samples) {
    const sum = sums[nearest(centres, c)]!
    for (let k = 0; k < 3; k++) sum[k]! += c[k]! * w
    sum[3]! += w
  }
  return sums.map((sum, k) => (sum[3]! > 0 ? [sum[0]! / sum[3]!, sum[1]! / sum[3]!, sum[2]! / sum[3]!] : centres[k]!))
}

function describe(samples: Sample[], centres: Sample['c'][]): ColourModel['clusters'] {
  const sums = centres.map(() => ({ w: 0, s: [0, 0, 0] }))
  let total = 0
  for (const { c, w } of samples) {
    const k = nearest(centres, c)
    const sum = sums[k]!
    for (let n = 0; n < 3; n++) sum.s[n]! += (c[n]! - centres[k]![n]!) ** 2 * w
    sum.w += w
    total += w
  }
  return centres.flatMap((mean, k) => {
    const { w, s } = sums[k]!
    if (w === 0) return []
    return [{ share: w / total, mean, spread: [s[0]! / w + 40, s[1]! / w + 40, s[2]! / w + 40] as [number, number, number] }]
  })
}

function nearest(centres: Sample['c'][], c: Sample['c']): number {
  let best = 0
  let least = Number.POSITIVE_INFINITY
  centres.forEach((centre, k) => {
    const away = distance(centre, c)
    if (away >= least) return
    least = away
    best = k
  })
  return best
}

function distance(p: Sample['c'], q: Sample['c']): number {
  return (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 + (p[2] - q[2]) ** 2
}
