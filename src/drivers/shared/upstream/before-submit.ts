import { NotSentError } from '@generation-gateway/kit/errors.ts'

/** Runs a step that prepares a paid submit, such as converting an input or requesting a token, and
 *  returns its result. When the step fails, nothing has been submitted yet. Its error is thrown as
 *  a `NotSentError`, so the task may be tried again and the amount reserved for it is released. */
export async function beforeSubmit<Result>(prepare: () => Promise<Result>): Promise<Result> {
  try {
    return await prepare()
  } catch (error) {
    throw NotSentError.of(error)
  }
}
