/** Converts `camera_control` of family K (docs/interface/videos.md#k) to the neutral camera
 *  movement and back. */
import { isDeepStrictEqual } from 'node:util'
import type { CameraMove } from '@generation-gateway/kit/requests/video.ts'
import Type from 'typebox'
import type { Rule } from '../../contract/operation.ts'
import { optional } from '../../contract/schemas.ts'
import type { Group } from './models.ts'

const middle = 5
/** Movements by name. */
const named = {
  down_back: { vertical: -middle, depth: -middle },
  forward_up: { depth: middle, tilt: middle },
  right_turn_forward: { pan: middle, depth: middle },
  left_turn_forward: { pan: -middle, depth: middle },
} as const satisfies Record<string, CameraMove>

const types = ['simple', 'down_back', 'forward_up', 'right_turn_forward', 'left_turn_forward'] as const
const amounts = ['horizontal', 'vertical', 'pan', 'tilt', 'roll', 'zoom'] as const

const amount = (description: string) => Type.Number({ minimum: -10, maximum: 10, default: 0, description })

export const cameraField = (groups: readonly Group[]) =>
  Type.Object(
    {
      type: optional.words(types, { description: 'Only `simple` has a config.' }),
      config: optional.object(
        {
          horizontal: amount('Along; below 0 to the left.'),
          vertical: amount('Along; below 0 down.'),
          pan: amount('Turn about the upright axis.'),
          tilt: amount('Turn about the level axis.'),
          roll: amount('Turn clockwise.'),
          zoom: amount('Above 0 the field widens.'),
        },
        { description: 'Exactly one is not 0.' },
      ),
    },
    { default: {}, groups, description: 'How the camera moves; empty: as the prompt says.' },
  )
const still = { horizontal: 0, vertical: 0, pan: 0, tilt: 0, roll: 0, zoom: 0 }
type Camera = Type.Static<ReturnType<typeof cameraField>>
type Body = { camera_control: Camera }

export const cameraRules: Rule<Body>[] = [
  {
    id: 'camera-config',
    says: 'camera_control has a config with type simple, and only then.',
    field: 'camera_control',
    holds: ({ camera_control: { type, config } }) => (type === 'simple') === (config !== undefined),
    explain: ({ camera_control: { type } }) =>
      type === 'simple'
        ? 'camera_control.config is required with camera_control.type simple.'
        : `camera_control.config goes with camera_control.type simple, not with ${type ?? 'none'}.`,
  },
  {
    id: 'camera-one',
    says: 'Exactly one number of camera_control.config is not 0.',
    field: 'camera_control.config',
    holds: ({ camera_control: { config } }) => config === undefined || movedIn(config).length === 1,
    explain: ({ camera_control: { config } }) =>
      `camera_control.config has ${movedIn(config ?? {}).length} numbers that are not 0; it must be exactly one.`,
  },
  {
    id: 'camera-aspect',
    says: 'aspect_ratio stands beside camera_control, not in it.',
    field: 'camera_control.aspect_ratio',
    source: 'ours',
    holds: ({ camera_control }) => !('aspect_ratio' in camera_control),
    explain: () => 'camera_control.aspect_ratio is not known there; aspect_ratio is a field of the body.',
  },
]

type Config = Partial<NonNullable<Camera['config']>>

function movedIn(config: Config) {
  return amounts.filter(name => (config[name] ?? 0) !== 0)
}

export function hasCamera({ camera_control: { type } }: Body): boolean {
  return type !== undefined
}

/** Returns the `camera_control` for each neutral movement. A movement without a name becomes
 *  `simple` with its values, which the rules then check. */
export function camerasFor(camera: readonly CameraMove[] = []): Camera[] {
  return camera.map(move => {
    const type = types.find(each => each !== 'simple' && isDeepStrictEqual(move, named[each]))
    return type === undefined ? { type: 'simple', config: { ...still, ...move } } : { type }
  })
}

/** Returns the neutral camera movement, a list of one step; an empty object when the request has
 *  no `type`. */
export function cameraOf({ type, config }: Camera): { camera?: CameraMove[] } {
  if (type === undefined) return {}
  if (type !== 'simple') return { camera: [named[type]] }
  const given: Config = config ?? {}
  return { camera: [Object.fromEntries(movedIn(given).map(name => [name, given[name]]))] }
}
