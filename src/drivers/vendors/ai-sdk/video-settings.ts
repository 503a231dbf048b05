/** Settings of a target that produces videos: the limits of its model. They are set by the
 *  operator, because no package states them before a paid call. */
import { type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import type { InputRole } from '@generation-gateway/kit/requests/field-names.ts'
import Type from 'typebox'
import { lengthSetting, sizeSetting, videoLimitsOf } from '../../shared/video/video-limits.ts'

/** When a video has sound. `asked` means: when the caller requests it. */
type SoundRule = 'asked' | 'always' | 'never'

export interface VideoFacts {
  /** Largest number of inputs that the model accepts, by role. */
  most: Partial<Record<InputRole, number>>
  /** Allowed sizes, such as `1280x720`; undefined allows any. */
  sizes: readonly string[] | undefined
  /** Allowed lengths in seconds; undefined allows any. */
  seconds: readonly number[] | undefined
  sound: SoundRule
  /** True when camera movements are appended to the prompt as words in brackets. */
  hasCameraWords: boolean
  /** Interval between two polls, milliseconds. */
  pollMs: number
}

const most = (maximum: number, description: string) => Type.Optional(Type.Integer({ minimum: 0, maximum, description }))
const soundRules: readonly SoundRule[] = ['asked', 'always', 'never']
/** Default interval in seconds, as in the examples of the SDK. */
const usualPollSeconds = 5

export const videoSettings = Type.Object(
  {
    inputs: Type.Optional(
      Type.Object(
        {
          'first-frame': most(1, 'A first frame. Default 1.'),
          'last-frame': most(1, 'A last frame: the package has to know frameImages. Default 0.'),
          subject: most(16, 'Pictures of subjects, as inputReferences. Default 0.'),
          reference: most(16, 'Pictures to go by, as inputReferences. Default 0.'),
          style: most(16, 'Pictures of a style, as inputReferences. Default 0.'),
          feature: most(4, 'Videos whose camera and pace are followed, as inputReferences. Default 0.'),
          base: most(1, 'A video that is edited, as inputReferences. Default 0.'),
        },
        {
          additionalProperties: false,
          description: 'How many inputs of each kind the model takes; all others are refused before anything is sent.',
        },
      ),
    ),
    sizes: sizeSetting('The only sizes of its videos, as 1280x720. Default: any.'),
    seconds: lengthSetting('The only lengths of its videos. Default: any.'),
    sound: Type.Optional(
      Type.Enum(['asked', 'always', 'never'], {
        description:
          'Whether its videos have sound: as it is asked (generateAudio), always or never; what it cannot do is refused. Default: asked.',
      }),
    ),
    camera: Type.Optional(
      Type.Enum(['words'], {
        description:
          'The model takes movements of the camera in brackets in its prompt, as those of Hailuo do. Default: only by options of its package.',
      }),
    ),
    poll_seconds: Type.Optional(
      Type.Number({ minimum: 0.1, maximum: 600, description: `Between two looks at a video that is made. Default ${usualPollSeconds}.` }),
    ),
  },
  { additionalProperties: false, description: 'What the model takes when it makes videos.' },
)

/** Returns the facts in the settings. The casts are safe: the schema checked the settings when they
 *  were read. */
export function videoFactsOf(video: unknown): VideoFacts {
  const given: JsonObject = objectOf(video)
  return {
    most: { 'first-frame': 1, ...(objectOf(given.inputs) as Partial<Record<InputRole, number>>) },
    ...videoLimitsOf(given),
    sound: soundRules.find(rule => rule === given.sound) ?? 'asked',
    hasCameraWords: given.camera === 'words',
    pollMs: 1000 * (typeof given.poll_seconds === 'number' ? given.poll_seconds : usualPollSeconds),
  }
}
