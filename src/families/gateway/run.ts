/** Converts a task into the form in which its state and result are sent to the gateway that
 *  started it. */
import { defined } from '@generation-gateway/kit/defined.ts'
import { runService } from '@generation-gateway/kit/requests/schemas/gateway-version.ts'
import type { CallContext, TaskView } from '../../contract/context.ts'
import { type Artifact, isFinal, type Task } from '../../core/records/task.ts'
import { outputFacts, outputsOf } from '../shared/task-answers.ts'
import { gateway } from './family.ts'

export async function presentRun(context: CallContext<'accountTasks' | 'earlyOutputs'>, task: Task) {
  const { id, capability, model, state, progress, failure } = task
  const hasEnded = isFinal(state)
  // The open line is read before the usage. When an operator charges the open line between the two
  // reads, the usage then contains the amount. In the other order, the answer could contain neither
  // the amount nor the open line.
  const hasOpenLine = hasEnded && (await context.accountTasks.hasOpenLine(id))
  return {
    id,
    object: 'gateway.run' as const,
    capability,
    model,
    state,
    progress,
    error: failure ? presentError(failure) : null,
    outputs: outputsOf(task).map(artifact => presentOutput(context, artifact)),
    begun: hasEnded ? [] : [...context.earlyOutputs.begun(task)],
    result: state === 'succeeded' ? resultShown(task) : null,
    usage: hasEnded ? await usageOf(context, id) : [],
    may_be_charged: hasOpenLine,
  }
}

export function presentOutput(view: TaskView, artifact: Artifact) {
  const { framesPerSecond, channels } = artifact
  const facts = { ...outputFacts(artifact), ...defined({ frames_per_second: framesPerSecond, channels }) }
  return { ...facts, url: view.link(artifact, gateway.linkLifetimeMs) }
}

function presentError({ code, message, field, reasons = [] }: NonNullable<Task['failure']>) {
  return { code, message, ...defined({ field }), reasons }
}

/** Returns the result of a run. Objects that a service stores are identified by the id of this
 *  run instead of the service's own id. */
function resultShown({ id, result = {} }: Task): Record<string, unknown> {
  const kept = { service: runService, id }
  return { ...result, ...('origin' in result ? { origin: kept } : {}), ...('sound' in result ? { sound: kept } : {}) }
}

async function usageOf({ accountTasks }: CallContext<'accountTasks'>, id: string) {
  const { lines } = await accountTasks.usage(id)
  return lines.map(({ unit, units }) => ({ unit, units }))
}
