/** A neutral request from outside: checked as foreign input. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { GatewayError, invalidField } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { RequestOf } from '@generation-gateway/kit/requests/capabilities.ts'
import { runService } from '@generation-gateway/kit/requests/schemas/gateway-version.ts'
import { requestSchemas } from '@generation-gateway/kit/requests/schemas/index.ts'
import type { ServiceSound, SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import type { CallContext } from '../../contract/context.ts'
import { checkObject } from '../../contract/validate.ts'
import { resultOf, type Task, type TaskCapability } from '../../core/records/task.ts'
import { pictureMostPixels } from '../shared/common-fields.ts'

const leastSeed = -(2n ** 63n)
const mostSeed = 2n ** 63n - 1n

/** The request as the capability has it, with its references to earlier runs of the account in
 *  the words of their drivers. Throws `invalid_request` with field, value and limit;
 *  `task_not_found`. */
export async function checkedRequest<C extends TaskCapability>(
  context: CallContext<'templates'>,
  capability: C,
  sent: unknown,
): Promise<RequestOf<C>> {
  // The schema of a capability was checked against the type of its request by the compiler
  // (`schemaOf`).
  const request = checkObject<RequestOf<TaskCapability>>(requestSchemas[capability], sent, 'request')
  if ('seed' in request && typeof request.seed === 'string') assertSeed(request.seed)
  if ('format' in request && 'width' in request) assertArea(request)
  if ('template' in request) return { ...request, ...(await renderedAs(context, request)) } as RequestOf<C>
  if ('speed' in request) return { ...request, ...(await neighboursOf(context, request)) } as RequestOf<C>
  return request as RequestOf<C>
}

function assertSeed(seed: string): void {
  if (BigInt(seed) >= leastSeed && BigInt(seed) <= mostSeed) return
  throw invalidField('seed', `seed is ${seed}; at least ${leastSeed}, at most ${mostSeed}.`, 'seed')
}

/** As every family of pictures has it. */
function assertArea({ width = 0, height = 0, tier }: Pick<RequestOf<'image.edit'>, 'width' | 'height' | 'tier'>): void {
  for (const size of [{ width, height }, ...(tier?.sizes ?? [])]) {
    const pixels = size.width * size.height
    if (pixels > pictureMostPixels)
      throw invalidField('width', `width: ${size.width}x${size.height} are ${pixels} pixels; at most ${pictureMostPixels}.`, 'most-pixels')
  }
}

/** The target's own name of the template, and the place where the account's slides are kept. */
async function renderedAs(
  context: CallContext<'templates'>,
  { template, origin }: Pick<RequestOf<'slides.render'>, 'template' | 'origin'>,
): Promise<JsonObject> {
  const written = origin && (await ownRun(context, origin, { field: 'origin', capability: 'slides.write' }))
  const name = /^[1-9]\d{0,14}$/.test(template) ? context.templates.nameOf(Number(template)) : undefined
  if (name === undefined) throw invalidField('template', `template: there is no ${JSON.stringify(template)} here.`, 'template')
  if (!written) return { template: name }
  const own = resultOf(written, 'slides.write').origin
  return { template: name, ...defined({ origin: own }) }
}

async function neighboursOf(
  context: CallContext,
  { previousSounds, nextSounds }: Pick<SpeechRequest, 'previousSounds' | 'nextSounds'>,
): Promise<Pick<SpeechRequest, 'previousSounds' | 'nextSounds'>> {
  const soundsOf = async (field: 'previousSounds' | 'nextSounds', given: readonly ServiceSound[]) => {
    const runs = await Promise.all(given.map(each => ownRun(context, each, { field, capability: 'speech.synthesize' })))
    return runs.flatMap(task => resultOf(task, 'speech.synthesize').sound ?? [])
  }
  return {
    ...(previousSounds ? { previousSounds: await soundsOf('previousSounds', previousSounds) } : {}),
    ...(nextSounds ? { nextSounds: await soundsOf('nextSounds', nextSounds) } : {}),
  }
}

/** What a service keeps is named by the run that made it: ids of a service could be another
 *  account's. */
async function ownRun(
  context: CallContext,
  { service, id }: ServiceSound,
  { field, capability }: { field: string; capability: TaskCapability },
): Promise<Task> {
  if (service !== runService)
    throw invalidField(field, `${field}: service is ${JSON.stringify(service)}; it must be ${runService}.`, 'service')
  const task = await context.task(id)
  if (task.capability === capability && task.state === 'succeeded') return task
  throw new GatewayError('task_not_found', `${field}: the run ${JSON.stringify(id.slice(0, 64))} has made no such thing.`, {
    field,
    subject: id,
  })
}
