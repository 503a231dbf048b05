/** Tasks of another gateway, whatever family they came through. */
import type { Job } from '@generation-gateway/kit/requests/job.ts'
import type { Waits } from '../../shared/upstream/service-settings.ts'
import { settings } from './settings.ts'

export const tasksPath = '/v1/tasks'
export const maxAnswerBytes = 1024 * 1024
/** A submit and a look are answered at once. */
const usualFirstByteMs = 60_000

export function waitsOf({ settings: given }: Pick<Job<unknown>, 'settings'>): Waits {
  const { firstByteMs = usualFirstByteMs, waits } = settings.targetOf(given)
  return { ...waits, firstByteMs }
}
