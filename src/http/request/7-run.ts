/** The seventh step: runs the handler of the family. */
import type { CallContext } from '../../contract/context.ts'
import { readInputFiles } from '../body/input-files.ts'
import type { Call } from '../call/call.ts'
import type { CheckedBody } from './5-check.ts'
import type { Exchange } from './exchange.ts'
import type { OperationPlan } from './plan.ts'

/** Returns the answer of the handler: JSON, or one of `src/contract/replies.ts`. */
export function runStep(
  plan: OperationPlan,
  { params }: Exchange,
  { call, query, body }: { call: Call; query: Record<string, unknown>; body: CheckedBody },
): Promise<unknown> {
  const context = plan.contextOf(call)
  if (!plan.hasFiles && !isSpooled(call)) return plan.run(context, { params, query, body, files: [] })
  return runWithFiles(plan, context, { params, call, query, body })
}

/** Runs the handler of an operation whose body has files, or long strings that are stored in a
 *  file. */
async function runWithFiles(
  { deps, operation, hasFiles, run, validator }: OperationPlan,
  context: CallContext,
  { params, call, query, body }: Pick<Exchange, 'params'> & { call: Call; query: Record<string, unknown>; body: CheckedBody },
): Promise<unknown> {
  const files = hasFiles && operation.body ? await readInputFiles(deps, call, { schema: operation.body.schema, body }) : []
  const restoredBody = isSpooled(call) ? await restored(call, body) : body
  // Limits of length could not be checked while placeholders stood for the long strings.
  const given = restoredBody === body ? body : validator.body(restoredBody)
  return run(context, { params, query, body: given, files })
}

function isSpooled({ body: { raw } }: Call): boolean {
  return raw !== undefined && 'spool' in raw
}

/** Returns the body with its long strings read back from the file. */
async function restored({ body: { raw } }: Call, body: CheckedBody): Promise<unknown> {
  return body && raw && 'spool' in raw ? raw.spool.restore(body) : body
}
