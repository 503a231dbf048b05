/** A task of another gateway as `GET /v1/tasks/{id}` tells it, whatever family it came through. */
import { type ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import { type JsonObject, objectOf, objectsOf, textOf } from '@generation-gateway/kit/json.ts'
import type { Failed, Job, Running } from '@generation-gateway/kit/requests/job.ts'
import { failed, failedAfterPay } from '../../shared/failed.ts'
import { textsOf } from '../../shared/upstream/read-json.ts'
import { withoutSecrets } from '../../shared/upstream/secrets.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import { answerBehind } from '../../shared/upstream/upstream-failures.ts'
import { settings } from './settings.ts'
import { maxAnswerBytes, tasksPath, waitsOf } from './task-paths.ts'

/** `urls`: links of its outputs, by role. */
export type TaskThere = Running | Failed | { state: 'ready'; urls: ReadonlyMap<string, string> }

type Looking = Pick<Job<unknown>, 'settings' | 'signal'>

/** Codes that mean the same here: they are about the request. */
const aboutTheRequest = new Set<string>([
  'invalid_request',
  'invalid_input_file',
  'unsupported_media_type',
  'payload_too_large',
  'request_moderated',
  'content_moderated',
] satisfies ErrorCode[])
const maxSentence = 500

/** Throws what the call throws. */
export async function taskThere({ upstream }: ServiceTools, job: Looking, id: string): Promise<TaskThere> {
  const { whole } = settings.targetOf(job.settings)
  const waits = waitsOf(job)
  const limits = { ...waits, timeoutMs: 2 * waits.firstByteMs, maxBytes: maxAnswerBytes }
  const path = `${tasksPath}/${encodeURIComponent(id)}`
  try {
    const { body } = await upstream.json(whole, { method: 'GET', path, isStored: true, signal: job.signal, ...limits })
    return seenThere(objectOf(body), whole.secrets)
  } catch (error) {
    if (answerBehind(error)?.status === 404) return noTask()
    throw error
  }
}

export function noTask(): Failed {
  return failedAfterPay('upstream_error', 'The other gateway no longer has the task.')
}

function seenThere({ state, progress, error, outputs }: JsonObject, secrets: readonly string[]): TaskThere {
  switch (state) {
    case 'queued':
    case 'running':
    case 'cancelling':
    case 'unknown':
      return { state: 'running', ...(typeof progress === 'number' ? { progress: progress / 100 } : {}) }
    case 'succeeded':
      return { state: 'ready', urls: new Map(objectsOf(outputs).flatMap(({ role, url }) => linkOf(role, url))) }
    case 'cancelled':
      return failed('upstream_error', 'The task was cancelled at the other gateway.')
    case 'failed':
    case 'expired':
      return brokenOff(objectOf(error), secrets)
    default:
      throw new GatewayError('upstream_error', 'The other gateway answered with a state that tasks do not have.')
  }
}

function linkOf(role: unknown, url: unknown): [string, string][] {
  const [name, link] = [textOf(role), textOf(url)]
  return name === undefined || link === undefined ? [] : [[name, link]]
}

function brokenOff({ code, message, reasons }: JsonObject, secrets: readonly string[]): Failed {
  const says = withoutSecrets(textOf(message) ?? 'no reason was given.', secrets).slice(0, maxSentence)
  if (isAboutTheRequest(code))
    return failed(
      code,
      says,
      textsOf(reasons).map(reason => withoutSecrets(reason, secrets)),
    )
  const sentence = `The other gateway failed on the task: ${says}`
  return code === 'outcome_unknown' ? failedAfterPay('upstream_error', sentence) : failed('upstream_error', sentence)
}

function isAboutTheRequest(code: unknown): code is ErrorCode {
  return typeof code === 'string' && aboutTheRequest.has(code)
}
