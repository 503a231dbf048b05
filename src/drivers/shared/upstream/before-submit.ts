import { NotSentError } from '@generation-gateway/kit/errors.ts'

/** Runs a step that prepares a paid submit, such as the conversion of an input or the request of a
 *  token, and returns its result. When the step fails, nothing has been submitted, so its error is
 *  thrown as a `NotSentError`: the task may be tried again, and nothing stays held. */
export async function beforeSubmit<Result>(prepare: () => Promise<Result>): Promise<Result> {
  try {
    return await prepare()
  } catch (error) {
    throw NotSentError.of(error)
  }
}
