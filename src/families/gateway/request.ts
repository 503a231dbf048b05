/** Checks a neutral request (the form that all families share) from another gateway like any input
 *  from outside. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { GatewayError, invalidField } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { RequestOf } from '@generation-gateway/kit/requests/capabilities.ts'
import type { InputRole } from '@generation-gateway/kit/requests/field-names.ts'
import { runService } from '@generation-gateway/kit/requests/schemas/gateway-version.ts'
import { requestSchemas } from '@generation-gateway/kit/requests/schemas/index.ts'
import type { ServiceSound, SpeechRequest } from '@generation-gateway/kit/requests/speech.ts'
import type { CallContext } from '../../contract/context.ts'
import { checkObject } from '../../contract/validate.ts'
import { resultOf, type Task, type TaskCapability } from '../../core/records/task.ts'
import { pictureMostPixels } from '../shared/common-fields.ts'

const leastSeed = -(2n ** 63n)
const mostSeed = 2n ** 63n - 1n

/** Returns the request as drivers expect it. References to earlier runs of the account are
 *  replaced by the ids that the upstream service has given to the objects of these runs. Throws
 *  `invalid_request` with field, value and limit, and `task_not_found`. */
export async function checkedRequest<C extends TaskCapability>(
  context: CallContext<'templates'>,
  capability: C,
  sent: unknown,
): Promise<RequestOf<C>> {
  // The cast is safe: the compiler has checked the schema of each capability against the type of
  // its request (`schemaOf`).
  const request = checkObject<RequestOf<TaskCapability>>(requestSchemas[capability], sent, 'request')
  if ('seed' in request && typeof request.seed === 'string') assertSeed(request.seed)
  if ('format' in request && ('width' in request || 'height' in request || 'tier' in request)) assertSize(request)
  if ('speed' in request) assertOneText(request)
  if ('template' in request) return { ...request, ...(await renderedAs(context, request)) } as RequestOf<C>
  if ('speed' in request) return { ...request, ...(await neighboursOf(context, request)) } as RequestOf<C>
  return request as RequestOf<C>
}

function assertSeed(seed: string): void {
  if (BigInt(seed) >= leastSeed && BigInt(seed) <= mostSeed) return
  throw invalidField('seed', `seed is ${seed}; at least ${leastSeed}, at most ${mostSeed}.`, 'seed')
}

/** Throws `invalid_request` when more than one field contains text to speak. Otherwise the
 *  engine could speak another text than the one whose characters are charged. */
function assertOneText({ text, cues, passages }: SpeechRequest): void {
  if (cues && passages) throw invalidField('passages', 'passages: is given beside cues; one of them.', 'one-text')
  const other = cues ? 'cues' : passages ? 'passages' : undefined
  if (other !== undefined && text !== '')
    throw invalidField(
      'text',
      `text: has ${text.length} characters beside ${other}, which stand in its place; it must be empty.`,
      'one-text',
    )
}

/** Throws `invalid_request` for a size with more pixels than any family of pictures allows; the
 *  sizes of a tier are checked as well. Also throws when only one side is given, because the number
 *  of pixels would then be unknown. */
function assertSize({ width, height, tier }: Pick<RequestOf<'image.edit'>, 'width' | 'height' | 'tier'>): void {
  if ((width === undefined) !== (height === undefined)) {
    const [missing, given] = width === undefined ? ['width', 'height'] : ['height', 'width']
    throw invalidField(missing, `${missing}: is required beside ${given}.`, 'required')
  }
  const sizes = width === undefined || height === undefined ? [] : [{ width, height }]
  for (const size of [...sizes, ...(tier?.sizes ?? [])]) {
    const pixels = size.width * size.height
    if (pixels > pictureMostPixels)
      throw invalidField('width', `width: ${size.width}x${size.height} are ${pixels} pixels; at most ${pictureMostPixels}.`, 'most-pixels')
  }
}

/** Returns the fields to replace: `template` with the target's name of the template, and
 *  `origin` with the place where the service stores the slides of this account. */
async function renderedAs(
  context: CallContext<'templates'>,
  { template, origin }: Pick<RequestOf<'slides.render'>, 'template' | 'origin'>,
): Promise<JsonObject> {
  const written = origin && (await ownRun(context, origin, { field: 'origin', capability: 'slides.write' }))
  const name = context.templates.nameOf(template)
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

/** Returns the run of this account that created an object which a service stores. The caller
 *  must name the object by its run: ids of the service itself are refused, because they could
 *  belong to another account. */
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

/** Role of the file that a capability requires, because usage is counted from this file. */
const neededRoles: Readonly<Partial<Record<TaskCapability, InputRole>>> = {
  'image.edit': 'image',
  'image.upscale': 'image',
  'audio.transcribe': 'audio',
  'audio.translate': 'audio',
}

/** Throws `invalid_request` when a required file is missing, when a list in the request and the
 *  files for it differ in number, or when a slide names a picture that is not there. */
export function assertFiles(capability: TaskCapability, request: RequestOf<TaskCapability>, inputs: readonly { role: string }[]): void {
  const countOf = (role: InputRole) => inputs.filter(input => input.role === role).length
  const needed = neededRoles[capability]
  if (needed !== undefined && countOf(needed) === 0)
    throw invalidField(needed, `${needed}: is required; there is no file of this role.`, 'required')
  const assertAsMany = (field: string, named: number, role: InputRole) => {
    if (named === countOf(role)) return
    throw invalidField(field, `${field}: is about ${named} files of the role ${role}; there are ${countOf(role)}.`, 'files')
  }
  if ('speakers' in request) assertAsMany('speakers', request.speakers?.names.length ?? 0, 'speaker')
  if ('subjects' in request)
    assertAsMany(
      'subjects',
      (request.subjects ?? []).reduce((sum, { pictures }) => sum + pictures, 0),
      'subject',
    )
  if ('paths' in request) assertAsMany('paths', request.paths?.length ?? 0, 'motion-mask')
  if ('template' in request) {
    const last = Math.max(-1, ...request.slides.map(({ pictureInput = -1 }) => pictureInput))
    if (last >= countOf('picture'))
      throw invalidField('slides', `slides: pictureInput is ${last}; there are ${countOf('picture')} files of the role picture.`, 'files')
  }
}
