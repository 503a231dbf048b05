/** Requests that are paid from the moment the upstream has the whole of them, and have no idempotency key to repeat them by. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { inOnePart, type Parts, type PostedBody, postInParts, wholeOf } from './post-body.ts'
import type { SentBody } from './sent-body.ts'
import type { UpstreamAnswer } from './upstream-answer.ts'
import { answerBehind } from './upstream-failures.ts'

interface Submit extends Omit<PostedBody, 'headers' | 'answerMs'> {
  /** What the path is about, for a sentence. */
  model: string
}

interface PaidSubmit<Result> extends Submit {
  /** Makes the result of a good answer. What it throws leaves the fate of the request open; what it returns settles it. */
  read(answer: UpstreamAnswer): Promise<Result>
}

interface PaidSubmitInParts<Part, Result> extends Submit {
  /** The same, and what it yields is given on at once. */
  read(answer: UpstreamAnswer): Parts<Part, Result>
}

/** Sends the request once; `upstream` is used for nothing else (`ServiceTools.submits`), since its connections are never kept.
 *  Throws `outcome_unknown` when it may have been accepted, with what happened as its cause; `capability_unavailable` when the model is not there;
 *  else what the refusal or the network is mapped to, or `cancelled` when the signal came before the last byte was out. */
export function submitPaid<Result>(submit: PaidSubmit<Result>): Promise<Result> {
  return wholeOf(submitPaidInParts({ ...submit, read: inOnePart(answer => submit.read(answer)) }))
}

/** The same for an answer that is given on while it comes. Leaving it cuts the connection. */
export async function* submitPaidInParts<Part, Result>(submit: PaidSubmitInParts<Part, Result>): Parts<Part, Result> {
  // A kept connection may be closed by the upstream in the moment it is used: then nobody could say whether the request arrived.
  const post = { ...submit, headers: { connection: 'close' }, answerMs: submit.firstByteMs }
  let isAccepted = false
  try {
    return yield* postInParts(post, answer => {
      isAccepted = true
      return submit.read(answer)
    })
  } catch (error) {
    throw isAccepted || mayBeAccepted(error, submit.body) ? outcomeUnknown(submit, error) : refusalOf(submit, error)
  }
}

/** An answer below 500 is a refusal, and so are 503 and 529. Everything else after the last byte leaves it open, also our own leaving. */
function mayBeAccepted(error: unknown, body: SentBody): boolean {
  if (!body.isHandedOver()) return false
  if (error instanceof GatewayError && error.code === 'overloaded') return false
  return (answerBehind(error)?.status ?? 500) >= 500
}

function outcomeUnknown({ owner }: Pick<Submit, 'owner'>, cause: unknown): GatewayError {
  const message = `It is not known whether the task was accepted: ${owner} had the request and gave no usable answer.`
  return new GatewayError('outcome_unknown', message, { cause })
}

/** A model that is not there is the operator's mistake, and nothing was spent: another target may be tried. */
function refusalOf({ model, owner }: Pick<Submit, 'model' | 'owner'>, error: unknown): unknown {
  const isGone = error instanceof GatewayError && error.code === 'model_not_found'
  return isGone || answerBehind(error)?.status === 404 ? missingModel(model, owner, error) : error
}

/** The error of an upstream that has no such model, or not for this. */
export function missingModel(model: string, owner: string, cause: unknown): GatewayError {
  const message = `There is no model ${model} for this at ${owner}; see base_url and model of the target.`
  return new GatewayError('capability_unavailable', message, { cause })
}
