/** Errors of presentations. The interface defines the codes `1222` and `1223`, but no HTTP
 *  statuses; the gateway chooses the statuses itself (docs/interface/text.md#presentations). */
import { type ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import Type from 'typebox'
import { errorObject } from '../../contract/failure.ts'
import type { Failure } from '../../contract/family.ts'
import { namedObject, orNull } from '../../contract/schemas.ts'

const waitSeconds = 5

interface Verdict {
  status: number
  code: string
  type: string
}

/** By rule id in the error: HTTP status, code and type of errors about an export. */
const verdicts = {
  'content-not-ready': { status: 409, code: '1222', type: 'task_not_ready' },
  'content-failed': { status: 422, code: 'generation_failed', type: 'generation_error' },
  'template-unknown': { status: 404, code: 'template_not_found', type: 'not_found_error' },
  'export-unknown': { status: 404, code: 'export_not_found', type: 'not_found_error' },
  'export-running': { status: 409, code: '1223', type: 'task_in_progress' },
  'export-failed': { status: 500, code: 'export_failed', type: 'server_error' },
} as const satisfies Record<string, Verdict>

const byCode: Partial<Record<ErrorCode, Verdict>> = {
  task_not_found: { status: 404, code: '1222', type: 'not_found_error' },
  request_moderated: { status: 422, code: 'content_policy_violation', type: 'moderation_error' },
  content_moderated: { status: 422, code: 'content_policy_violation', type: 'moderation_error' },
}

const failureBody = namedObject('PresentationError', {
  error: Type.Object({
    code: Type.String({
      description:
        '`1222`: there is no such task, or its content is not ready (with 409). `1223`: the export is not ready. `template_not_found`, `export_not_found`, `generation_failed`, `content_policy_violation`, `export_failed`; else a code of the gateway.',
    }),
    message: Type.String(),
    type: Type.String(),
    param: orNull<string>('string'),
    request_id: Type.String(),
  }),
})

export function failure(error: GatewayError, requestId: string): Failure {
  const rule = error.issues[0]?.rule ?? ''
  const known: Readonly<Record<string, Verdict>> = verdicts
  const verdict = Object.hasOwn(known, rule) ? known[rule] : byCode[error.code]
  const { status = error.status, ...named } = verdict ?? {}
  return { status, schema: failureBody, body: { error: { ...errorObject(error, requestId), ...named } } }
}

/** Returns the error for content or files that are not finished yet. */
export function notReady(rule: 'content-not-ready' | 'export-running', message: string): GatewayError {
  return new GatewayError('conflict', message, { retryAfterSeconds: waitSeconds, issues: [issue(rule, message)] })
}

/** Returns the error for an export or a template that the caller does not have. */
export function unknown(rule: 'template-unknown' | 'export-unknown', message: string): GatewayError {
  return new GatewayError('not_found', message, { issues: [issue(rule, message)] })
}

/** Returns the error for content or an export that has failed and will not be retried. It is a
 *  `conflict` whatever caused the failure, because the request conflicts with the state of the
 *  task. */
export function taskFailed(rule: 'content-failed' | 'export-failed', message: string): GatewayError {
  return new GatewayError('conflict', message, { issues: [issue(rule, message)] })
}

function issue(rule: keyof typeof verdicts, message: string) {
  return { path: [], message, rule }
}
