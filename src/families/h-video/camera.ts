/** Reads the camera instructions in square brackets in prompts of family H
 *  (docs/interface/videos.md#h). The instructions in one pair of brackets apply at the same
 *  time; those in different brackets apply one after another. */
import type { CameraMove } from '@generation-gateway/kit/requests/video.ts'

/** Strength of every camera movement that a word stands for; the greatest strength is 10. */
const middle = 5

/** The interface's 15 words for camera movements, each with its neutral movement. The first four
 *  words have another meaning than the same words of the vendor
 *  (docs/vendors/minimax.md#camera-words): the interface's `pan` is a sideways movement, which the
 *  vendor calls truck. The interface's `tilt` to the left or right is a rotation about the vertical
 *  axis, which the vendor calls pan. */
const moves: Readonly<Record<string, CameraMove>> = {
  'pan left': { horizontal: -middle },
  'pan right': { horizontal: middle },
  'tilt left': { pan: -middle },
  'tilt right': { pan: middle },
  'push in': { depth: middle },
  'pull out': { depth: -middle },
  ascend: { vertical: middle },
  descend: { vertical: -middle },
  'tilt up': { tilt: middle },
  'tilt down': { tilt: -middle },
  'zoom in': { zoom: -middle },
  'zoom out': { zoom: middle },
  shake: { shake: middle },
  follow: { follow: true },
  fixed: {},
}

export const cameraWords: readonly string[] = Object.keys(moves)

/** Splits a prompt into its text and its camera steps, in order. Other words in brackets stay in
 *  the text. */
export function readCamera(prompt: string): { prompt: string; camera: CameraMove[] } {
  const camera: CameraMove[] = []
  const rest = prompt.replace(/\s*\[([^[\]]*)\]/g, (bracket, inside: string) => {
    const words = inside.split(/[,，、]/).map(word => word.trim())
    const known = new Set(words.map(keyOf).filter(key => Object.hasOwn(moves, key)))
    if (known.size === 0) return bracket
    camera.push(together([...known].map(key => moves[key] ?? {})))
    const others = words.filter(word => word !== '' && !known.has(keyOf(word)))
    return others.length > 0 ? ` [${others.join(', ')}]` : ''
  })
  return camera.length > 0 ? { prompt: rest.trim(), camera } : { prompt, camera }
}

function keyOf(word: string): string {
  return word.toLowerCase().replace(/\s+/g, ' ')
}

/** Combines the instructions of one pair of brackets into one movement; opposite instructions
 *  cancel each other out. */
function together(steps: readonly CameraMove[]): CameraMove {
  const move: CameraMove = {}
  for (const { follow, ...amounts } of steps) {
    if (follow) move.follow = true
    for (const name of ['horizontal', 'vertical', 'depth', 'pan', 'tilt', 'roll', 'zoom', 'shake'] as const) {
      const amount = amounts[name]
      if (amount !== undefined) move[name] = (move[name] ?? 0) + amount
    }
  }
  return move
}
