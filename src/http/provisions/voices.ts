import type { TargetVoice } from '../../contract/needs/voices.ts'
import type { Call } from '../call/call.ts'
import type { HttpDeps } from '../deps.ts'
import { modelsOf } from './models.ts'
import type { Provision } from './provision.ts'

export const voices: Provision<'voices'> = ({ deps, call }) => ({
  ofEngines: () => deps.voices,
  ofTargets: () => targetVoices(deps, call),
})

/** Returns the voices that the operator listed in the settings of targets. Only targets of
 *  models that the key may use are included. */
function targetVoices(
  deps: Pick<HttpDeps, 'catalogue' | 'currency' | 'router' | 'startedAt'>,
  call: Pick<Call, 'key' | 'endpoint'>,
): TargetVoice[] {
  const usable = new Set(modelsOf(deps, call).map(({ id }) => id))
  const speaking = deps
    .catalogue()
    .all()
    .filter(({ id, capability }) => capability === 'speech.synthesize' && usable.has(id))
  return speaking.flatMap(model =>
    model.targets.flatMap(target => {
      const driver = deps.router.pinned(model, target.id)?.driver
      const named = Object.entries(driver?.voices?.(target.settings) ?? {})
      return named.map(([name, own]) => ({ name, own, maker: driver?.title ?? '', model: model.id }))
    }),
  )
}
