import { createReadStream } from 'node:fs'
import { defined } from '@generation-gateway/kit/defined.ts'
import { GatewayError, invalidField } from '@generation-gateway/kit/errors.ts'
import { gatewayVersions } from '@generation-gateway/kit/requests/schemas/gateway-version.ts'
import type { CallContext, Submission } from '../../contract/context.ts'
import { type Input, implement } from '../../contract/family.ts'
import type { OfferedModel } from '../../contract/needs/neutral-work.ts'
import type { ListedTemplate } from '../../contract/needs/templates.ts'
import { BytesReply, type ReplyFrame, StreamedReply } from '../../contract/replies.ts'
import { type InlinePart, isFinal, type Task, type TaskCapability } from '../../core/records/task.ts'
import { ifFound } from '../shared/task-answers.ts'
import { coverMs, gateway } from './family.ts'
import { assertFiles, checkedRequest } from './request.ts'
import { presentOutput, presentRun } from './run.ts'

type RunInput = Input<(typeof gateway)['operations']['run']>
type RunContext = CallContext<'accountTasks' | 'earlyOutputs' | 'neutralWork' | 'templates'>

export const gatewayEntry = implement(gateway, {
  offers: async ({ neutralWork, voices }) => ({
    object: 'gateway' as const,
    versions: [...gatewayVersions],
    models: neutralWork.models().map(presentModel),
    voices: [
      ...voices.ofEngines().map(({ id, maker, language }) => ({ id, maker, language })),
      ...voices.ofTargets().map(({ name, maker }) => ({ id: name, maker })),
    ],
  }),
  run: async (context, input) => {
    const submission = await submissionOf(context, input)
    if (!input.body.stream) return presentRun(context, await context.submit(submission))
    return new StreamedReply(framesOf(context, context.run(submission)))
  },
  show: async (context, { params }) => presentRun(context, await runOf(context, params.id ?? '')),
  output: async (context, { params: { id = '', index = '' } }) => {
    const task = await context.task(id)
    const chunks = /^\d{1,3}$/.test(index) ? context.earlyOutputs.read(task, Number(index)) : undefined
    if (!chunks) throw new GatewayError('not_found', `The run has no output ${JSON.stringify(index.slice(0, 20))} that is being made.`)
    return new BytesReply('application/octet-stream', chunks)
  },
  templates: async (context, { query: { model: _model, page, page_size: pageSize, ...filter } }) => {
    const { total, list } = await context.templates.list({ page, pageSize, ...filter })
    return { total, list: list.map(each => presentTemplate(context, each)) }
  },
  cover: async (context, { params: { engine = '', template = '' } }) => {
    const path = context.templates.coverOf(engine, template)
    if (path === undefined) throw new GatewayError('not_found', `There is no template ${template.slice(0, 20)}.`)
    return new BytesReply('image/png', createReadStream(path))
  },
})

/** Returns the checked request with its files. Throws `invalid_request` with field, value and
 *  limit, and `task_not_found` for a reference to another run. */
async function submissionOf(context: RunContext, { body, files }: RunInput): Promise<Submission<TaskCapability>> {
  const { capability, roles } = body
  if (roles.length !== files.length)
    throw invalidField('roles', `roles has ${roles.length} items; there are ${files.length} files, and each has one.`, 'roles')
  const request = await checkedRequest(context, capability, body.request)
  if ('isPrivate' in request && request.isPrivate === true && !body.stream)
    throw invalidField('isPrivate', 'isPrivate: nothing is kept of the request, so it has to be streamed.', 'private-stream')
  const given = files.map((file, index) => ({ ...file, role: roles[index] ?? file.role }))
  assertFiles(capability, request, given)
  const inputs = context.neutralWork.within(capability, request, given)
  return { capability, request, inputs, deadlineMs: context.neutralWork.deadlineMs() }
}

/** Yields the parts of a run. The last one is the run at its end, whether it has succeeded or
 *  failed. Throws the error that prevented the start of the run, and `outcome_unknown` when the run
 *  has started and its end cannot be reported. */
async function* framesOf(context: RunContext, parts: AsyncIterable<InlinePart<TaskCapability>>): AsyncGenerator<ReplyFrame> {
  let startedId: string | undefined
  try {
    for await (const part of parts) {
      switch (part.type) {
        case 'start':
          startedId = part.taskId
          yield { data: { type: 'start', id: part.taskId } }
          break
        case 'event':
          yield { data: { type: 'event', event: withBase64(part.event) } }
          break
        case 'file':
          yield { data: { type: 'output', output: presentOutput(context, part.artifact) } }
          break
        case 'finish':
          yield { data: { type: 'end', run: await presentRun(context, part.task) } }
      }
    }
  } catch (error) {
    if (startedId === undefined) throw error
    yield { data: { type: 'end', run: await presentRun(context, await endedTask(context, startedId, error)) } }
  }
}

/** Returns the task of a run that has failed with `cause`. Throws `outcome_unknown` when the task
 *  cannot be read or has not ended. */
async function endedTask(context: RunContext, id: string, cause: unknown): Promise<Task> {
  const task = await context.task(id).catch(() => undefined)
  if (task && isFinal(task.state)) return task
  throw new GatewayError('outcome_unknown', 'The stream ended before the run did; it is not known what the run has cost.', { cause })
}

/** Returns an event with its bytes as base64, because JSON cannot carry bytes. */
function withBase64(event: object): object {
  return 'bytes' in event && event.bytes instanceof Uint8Array ? { ...event, bytes: Buffer.from(event.bytes).toString('base64') } : event
}

/** Returns a run. The id may also be that of a task of the same account in another family,
 *  because gateways of earlier versions started runs through those families. */
async function runOf(context: CallContext<'accountTasks'>, id: string): Promise<Task> {
  return (await ifFound(context.task(id))) ?? context.accountTasks.get(id)
}

function presentModel({ limits, ...facts }: OfferedModel) {
  return {
    ...facts,
    limits: limits.fields.map(({ maxLength, ...limit }) => ({ ...limit, ...defined({ max_length: maxLength }) })),
    inputs: limits.inputs.map(({ role, most, kinds }) => ({
      role,
      most,
      media_types: [...new Set(kinds.flatMap(({ mediaTypes }) => mediaTypes))],
      max_bytes: Math.max(...kinds.map(({ maxBytes }) => maxBytes)),
    })),
  }
}

function presentTemplate(context: CallContext, { cover, scenes, ...facts }: ListedTemplate) {
  const link = typeof cover === 'string' ? cover : context.signedUrl('cover', { engine: cover.engine, template: String(facts.id) }, coverMs)
  return { ...facts, cover: link, ...(scenes && { scenes: [...scenes] }) }
}
