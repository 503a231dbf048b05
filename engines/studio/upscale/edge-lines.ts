/** Smooths the edges in an enlarged picture by averaging pixels in the direction of each edge. This
 *  removes the stair steps that resampling leaves. */

import { boxPlane } from '../style/box-plane.ts'
import { lumaPlane } from '../style/edges.ts'
import { clamp, createPlane, type Plane, type Raster, smoothstep } from '../style/pixels.ts'
import { stretch } from '../style/stretch.ts'

/** Strength and direction of the edge at each pixel of the original picture, from its structure
 *  tensor (sums of products of the brightness differences in x and y). */
interface EdgeField {
  /** `across` is the difference of the two diagonal entries of the tensor, `aslant` twice its other
   *  entry, `energy` the sum of the diagonal entries. */
  across: Plane
  aslant: Plane
  energy: Plane
}

/** Returns the enlarged picture in which each pixel on an edge is averaged with pixels along the
 *  edge, over a length of about two pixels of the original (`small`). */
export function smoothEdges(large: Raster, small: Raster): Raster {
  const field = edgeField(small)
  const { width, height, data } = large
  const factor = width / small.width
  const out = { data: data.slice(), width, height }
  const mixed = new Float32Array(3)
  const readEnergy = stretch(field.energy, width, height)
  const readAcross = stretch(field.across, width, height)
  const readAslant = stretch(field.aslant, width, height)
  const [energies, acrosses, aslants] = [new Float32Array(width), new Float32Array(width), new Float32Array(width)]
  for (let y = 0; y < height; y++) {
    readEnergy(y, energies)
    if (energies.every(energy => energy < leastEnergy)) continue
    readAcross(y, acrosses)
    readAslant(y, aslants)
    for (let x = 0; x < width; x++) {
      const energy = energies[x]!
      if (energy < leastEnergy) continue
      const across = acrosses[x]!
      const aslant = aslants[x]!
      const clear = Math.sqrt(across * across + aslant * aslant) / energy
      const weight = smoothstep(leastEnergy, 400, energy) * smoothstep(0.35, 0.75, clear)
      if (weight < 0.05) continue
      const angle = Math.atan2(aslant, across) / 2
      averageAlong(large, { x, y, dx: -Math.sin(angle) * factor * 0.55, dy: Math.cos(angle) * factor * 0.55 }, mixed)
      const i = (y * width + x) * 4
      for (let k = 0; k < 3; k++) out.data[i + k] = data[i + k]! + (mixed[k]! - data[i + k]!) * weight
    }
  }
  return out
}

/** Least `energy` of a pixel that lies on an edge. */
const leastEnergy = 60

const shares = [0.12, 0.23, 0.3, 0.23, 0.12]

function averageAlong({ data, width, height }: Raster, line: { x: number; y: number; dx: number; dy: number }, out: Float32Array): void {
  out.fill(0)
  for (let step = -2; step <= 2; step++) {
    const x = clamp(line.x + line.dx * step, 0, width - 1.001)
    const y = clamp(line.y + line.dy * step, 0, height - 1.001)
    const [left, top] = [x | 0, y | 0]
    const [u, v] = [x - left, y - top]
    const i = (top * width + left) * 4
    const right = left + 1 < width ? 4 : 0
    const below = top + 1 < height ? width * 4 : 0
    const share = shares[step + 2]!
    for (let k = 0; k < 3; k++) {
      const upper = data[i + k]! * (1 - u) + data[i + right + k]! * u
      const lower = data[i + below + k]! * (1 - u) + data[i + below + right + k]! * u
      out[k]! += (upper * (1 - v) + lower * v) * share
    }
  }
}

function edgeField(small: Raster): EdgeField {
  const { width, height } = small
  const luma = lumaPlane(small).data
  const across = createPlane(width, height)
  const aslant = createPlane(width, height)
  const energy = createPlane(width, height)
  for (let y = 0; y < height; y++) {
    const [above, below] = [Math.max(0, y - 1) * width, Math.min(height - 1, y + 1) * width]
    for (let x = 0; x < width; x++) {
      const [left, right] = [Math.max(0, x - 1), Math.min(width - 1, x + 1)]
      const gx = luma[y * width + right]! - luma[y * width + left]!
      const gy = luma[below + x]! - luma[above + x]!
      const i = y * width + x
      across.data[i] = gx * gx - gy * gy
      aslant.data[i] = 2 * gx * gy
      energy.data[i] = gx * gx + gy * gy
    }
  }
  const soft = (plane: Plane) => boxPlane(boxPlane(plane, 1), 1)
  return { across: soft(across), aslant: soft(aslant), energy: soft(energy) }
}
