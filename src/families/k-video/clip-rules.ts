/** Creates rules from the capability map (`models.ts`). For each model and feature, the map
 *  states the modes and lengths in which the model supports the feature. */
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import type { Rule } from '../../contract/operation.ts'
import { type ClipKind, clipKindOf, clipKindText, groupsWith, type Mode, omniImage, omniVideo, type Row, videoRows } from './models.ts'

export interface ClipFields {
  model_name?: string
  mode?: Mode
  duration: string | number
}

/** A feature that a model supports only in some modes and lengths. `isAsked` is true when a body
 *  requests the feature; `works` returns the modes and lengths that support it. */
interface Restriction<Body> {
  /** The feature as messages name it: `image_tail` in "image_tail goes with mode pro only". */
  when: string
  field: string
  works(row: Row): readonly ClipKind[]
  isAsked(body: Body): boolean
}

/** Returns one rule for each model that supports the feature only in some modes and lengths. Models
 *  that do not support the feature at all do not have the field. */
export function clipRules<Body extends ClipFields>(id: string, { when, field, works, isAsked }: Restriction<Body>): Rule<Body>[] {
  return videoRows.flatMap(([group, row]) => {
    const taken = works(row)
    const text = row.modes.length > 1 ? clipKindText(taken) : ''
    if (taken.length === 0 || text === '') return []
    return {
      id: `${id}-${group.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`,
      says: `${when} goes with ${text} only.`,
      field,
      source: 'ours' as const,
      groups: [group],
      holds: (body: Body) => !isAsked(body) || taken.includes(clipKindOf(row, body.mode, body.duration)),
      explain: ({ mode = row.modes[0], duration }: Body) =>
        `${when} goes with ${text} only for ${row.id}; mode is ${mode} and duration ${duration}.`,
    }
  })
}

/** Refuses mode `std` for models that have only mode `pro`, such as V2.6
 *  (docs/interface/videos.md#k). */
export const proOnly: Rule<ClipFields>[] = [
  {
    id: 'mode-pro',
    says: 'mode is pro.',
    field: 'mode',
    groups: groupsWith(({ modes }) => modes.length === 1),
    holds: ({ mode }) => mode !== 'std',
    explain: ({ model_name }) => `mode is std; ${model_name ?? 'the model'} has pro only.`,
  },
]

/** Returns mode and length of a neutral request. */
export function clipOf({ grade, seconds }: Pick<VideoGenerateRequest, 'grade' | 'seconds'>): ClipFields {
  return { duration: seconds, ...(grade === undefined ? {} : { mode: grade === 'standard' ? 'std' : 'pro' }) }
}

/** Returns a rule for the operation at `path`. It refuses models that work only at other paths. */
export function otherModels(path: string, isTaken: (row: Row) => boolean): Rule<{ model_name?: string }> {
  const taken = videoRows.flatMap(([, row]) => (isTaken(row) ? row.id : []))
  return refusing([...groupsWith(row => !isTaken(row)), omniVideo.group, omniImage.group], path, taken)
}

export function onlyOmni({ group, id }: typeof omniVideo | typeof omniImage, path: string): Rule<{ model_name?: string }> {
  const others = [...groupsWith(() => true), omniVideo.group, omniImage.group].filter(each => each !== group)
  return refusing(others, path, [id])
}

function refusing(groups: readonly string[], path: string, taken: readonly string[]): Rule<{ model_name?: string }> {
  return {
    id: 'model-of-path',
    says: `model_name is a model of ${path}: ${taken.join(', ')}.`,
    field: 'model_name',
    groups,
    holds: () => false,
    explain: ({ model_name }) => `model_name is ${model_name ?? 'that of the endpoint'}; ${path} takes ${taken.join(', ')}.`,
  }
}
