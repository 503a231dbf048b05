/** Takes the movement of the camera and the colours from a video (the "feature" input), and nothing
 *  else. */
import { open } from 'node:fs/promises'
import type { CameraMove } from '@generation-gateway/kit/requests/video.ts'
import { type Palette, paletteOf } from '../finish/palette.ts'
import { featureSize } from '../limits.ts'

interface Feature {
  steps: CameraMove[]
  palette: Palette
}

/** Reads the frames of a feature video from a named pipe. */
export async function readFeature(pipe: string): Promise<Feature | undefined> {
  const { width, height } = featureSize
  const bytes = width * height * 4
  await using file = await open(pipe, 'r')
  const parts: Uint8Array[] = []
  for await (const part of file.readableWebStream({ autoClose: false })) parts.push(new Uint8Array(part as ArrayBuffer))
  const all = Buffer.concat(parts)
  const count = Math.floor(all.length / bytes)
  if (count === 0) return undefined
  const frames = Array.from({ length: count }, (_, index) => new Uint8Array(all.subarray(index * bytes, (index + 1) * bytes)))
  return { steps: [cameraIn(frames)], palette: paletteOf(frames[Math.floor(count / 2)] ?? new Uint8Array()) }
}

/** Returns the mean movement of the camera. The shift from frame to frame is measured in the left
 *  and in the right half of the picture; when the halves move apart, the camera moves forward. */
function cameraIn(frames: readonly Uint8Array[]): CameraMove {
  const { width, height } = featureSize
  let [x, y, grown, pairs] = [0, 0, 0, 0]
  for (let i = 1; i < frames.length; i++) {
    const [a, b] = [frames[i - 1], frames[i]]
    if (!a || !b) continue
    const left = shiftOf(a, b, { from: 0, to: width / 2 })
    const right = shiftOf(a, b, { from: width / 2, to: width })
    // When both halves differ strongly from the frame before, there is a cut between the two
    // frames, and no camera movement is measured.
    if (left.difference > 30 && right.difference > 30) continue
    x += (left.x + right.x) / 2
    y += (left.y + right.y) / 2
    grown += (right.x - left.x) / (width / 2)
    pairs++
  }
  if (pairs === 0) return {}
  const limit = (value: number) => Math.max(-10, Math.min(10, Math.round(value * 10) / 10))
  const move = { pan: limit((-x / width) * 14), tilt: limit((y / height) * 18), depth: limit(grown * 9) }
  return Object.values(move).every(value => Math.abs(value) < 0.6) ? {} : move
}

function shiftOf(a: Uint8Array, b: Uint8Array, { from, to }: { from: number; to: number }): { x: number; y: number; difference: number } {
  const { width, height } = featureSize
  const reach = 6
  let best = { x: 0, y: 0, difference: Infinity, cost: Infinity }
  for (let dy = -3; dy <= 3; dy++)
    for (let dx = -reach; dx <= reach; dx++) {
      let sum = 0
      let count = 0
      for (let y = 4; y < height - 4; y += 2)
        for (let x = Math.max(reach, from); x < Math.min(width - reach, to); x += 2) {
          sum += Math.abs((a[(y * width + x) * 4 + 1] ?? 0) - (b[((y + dy) * width + x + dx) * 4 + 1] ?? 0))
          count++
        }
      const difference = sum / Math.max(1, count)
      const cost = difference + Math.hypot(dx, dy) * 0.15
      if (cost < best.cost) best = { x: dx, y: dy, difference, cost }
    }
  return best
}
