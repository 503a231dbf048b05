/** Errors of family R3 in the two formats that its clients read: flat members, as Azure's services
 *  answer (docs/vendors/azure-speech.md#fast-transcription), and the nested `error` object of
 *  docs/interface.md#errors. */
import { defined } from '@generation-gateway/kit/defined.ts'
import type { GatewayError } from '@generation-gateway/kit/errors.ts'
import Type from 'typebox'
import type { Failure } from '../../contract/family.ts'
import { namedObject, optional } from '../../contract/schemas.ts'
import { openaiErrorSchema } from '../shared/openai-failure.ts'
import { soundFailure } from '../shared/sound-failure.ts'

const errorBody = namedObject('FastTranscriptionError', {
  error: openaiErrorSchema,
  code: Type.String({ description: '`InvalidArgument`, `UnprocessableEntity`, `TooManyRequests`, ...' }),
  message: Type.String(),
  target: optional.string({ description: 'The field at fault.' }),
  innerError: Type.Object({
    code: Type.String({ description: 'The precise word: `NoLanguageIdentified`, ...' }),
    message: Type.String(),
  }),
  request_id: Type.String({ source: 'ours' }),
})

const words: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'NotAllowed',
  409: 'Conflict',
  415: 'UnsupportedMediaType',
  422: 'UnprocessableEntity',
  429: 'TooManyRequests',
  502: 'InternalCommunicationFailed',
  503: 'ServiceUnavailable',
}

export function failure(error: GatewayError, requestId: string): Failure {
  const { status, message, field } = error
  const { body } = soundFailure(error, requestId)
  const innerError = { code: innerWord(error), message }
  const target = defined({ target: field })
  return { status, body: { ...body, code: wordOf(error), message, ...target, innerError }, schema: errorBody }
}

function wordOf({ code, status, field, issues: [issue] }: GatewayError): string {
  if (issue?.path[0] === 'query' && issue.path[1] === 'api-version')
    return issue.rule === 'required' ? 'MissingApiVersionParameter' : 'UnsupportedApiVersionValue'
  if (code === 'invalid_request' || (code === 'invalid_json' && field !== undefined)) return 'InvalidArgument'
  return words[status] ?? (status < 500 ? 'InvalidRequest' : 'InternalServerError')
}

/** Returns the value of `innerError.code`: `NoLanguageIdentified` when no language was identified,
 *  else the gateway's own code in the family's spelling (`InvalidRequest` for
 *  `invalid_request`). */
function innerWord({ code }: GatewayError): string {
  if (code === 'language_not_identified') return 'NoLanguageIdentified'
  return code.replace(/(^|_)(\w)/g, (_all, _gap, letter: string) => letter.toUpperCase())
}
