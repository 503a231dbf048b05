/** Which family of another gateway a request goes to. */
import { refusedExtra } from '@generation-gateway/kit/requests/extras.ts'
import type { ImageEditRequest, ImageGenerateRequest, ImageUpscaleRequest } from '@generation-gateway/kit/requests/image.ts'
import type { AskedJob } from '@generation-gateway/kit/requests/job.ts'
import { RefusedError } from '../../shared/refusal.ts'
import { f1 } from './f1.ts'
import { f2 } from './f2.ts'
import { f3 } from './f3.ts'
import { f4, f4Redraw, f4Upscale } from './f4.ts'
import { servedBy } from './own-models.ts'
import { groupOf, type Way, whoOf } from './way.ts'

export type ImageCapability = keyof typeof ways

/** In the order they are tried. */
const ways = {
  'image.generate': [f1, f2, f3, f4] satisfies Way<ImageGenerateRequest>[],
  'image.edit': [f1, f3, f4Redraw] satisfies Way<ImageEditRequest>[],
  'image.upscale': [f4Upscale] satisfies Way<ImageUpscaleRequest>[],
}

interface Asked<Request> {
  capability: ImageCapability
  asked: AskedJob<Request>
}

/** The first of those that serve the target's model there and have a field for everything that is asked. Throws the first one's refusal where none has, and a refusal where there is none. */
export function wayOf<Request>({ capability, asked }: Asked<Request>): Way<Request> {
  const { families } = servedBy(asked)
  let first: unknown
  for (const way of waysOf<Request>(capability)) {
    if (!families.includes(way.family)) continue
    try {
      refuseExtras(capability, way, asked)
      way.check(asked)
      return way
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error
      first ??= error
    }
  }
  throw first ?? new RefusedError({ message: noWay(capability, asked.model, families) })
}

/** The way that a task was started by. */
export function wayBy<Request>(capability: ImageCapability, family: unknown): Way<Request> {
  // Before there were others it was F1.
  const found = waysOf<Request>(capability).find(way => way.family === (family ?? 'F1'))
  if (found === undefined) throw new TypeError(`no way of ${capability} is ${String(family)}`)
  return found
}

function waysOf<Request>(capability: ImageCapability): readonly Way<Request>[] {
  // Each capability has its own request, which the type of all of them together does not say.
  return ways[capability] as readonly Way<unknown>[] as readonly Way<Request>[]
}

function refuseExtras<Request>(capability: ImageCapability, way: Way<Request>, asked: AskedJob<Request>): void {
  const offer = { follows: way.follows(groupOf(asked)) }
  const refusal = refusedExtra(capability, { offer, request: Object(asked.request), who: whoOf(way.family) })
  if (refusal !== undefined) throw new RefusedError(refusal)
}

function noWay(capability: ImageCapability, model: string, families: readonly string[]): string {
  const takers = waysOf(capability).map(({ family }) => family)
  return `${model} of the other gateway is served by ${families.join(', ')}, and ${capability} goes to ${takers.join(', ')}; see families of the target.`
}
