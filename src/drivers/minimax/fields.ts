/** A neutral request in the vendor's fields (`vendors-media.md` 8.2, 8.3). What a model cannot do is refused here, before anything is sent. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import { RefusedError } from '../refusal.ts'
import { type CameraWords, hailuoFields, type Shown } from '../video/hailuo-fields.ts'
import type { AskedVideo } from '../video/video-job.ts'
import { groupOf, owner, unknownModel } from './settings.ts'

/** Its own words, below 0 and above. */
const moves: CameraWords['moves'] = {
  horizontal: ['Truck left', 'Truck right'],
  vertical: ['Pedestal down', 'Pedestal up'],
  depth: ['Pull out', 'Push in'],
  pan: ['Pan left', 'Pan right'],
  tilt: ['Tilt down', 'Tilt up'],
  zoom: ['Zoom in', 'Zoom out'],
  shake: ['Shake', 'Shake'],
}

/** Fields of the request. Throws a `RefusedError`, so that another target may be tried. */
export function fieldsOf<Input extends InputFacts>(
  { request, model, settings }: Pick<AskedVideo, 'request' | 'model' | 'settings'>,
  inputs: readonly Input[],
  shown: Shown<Input>,
): JsonObject {
  const group = groupOf(settings, model)
  if (group === undefined) throw new RefusedError({ message: unknownModel(model) })
  const words = { moves, follow: 'Tracking shot', still: 'Static shot' }
  return { model, ...hailuoFields({ request, group, who: `the model ${model} of ${owner}`, words }, inputs, shown) }
}
