import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayError } from '@generation-gateway/kit/errors.ts'

/** Resolves after `ms` milliseconds. Throws `cancelled` with the given sentence as soon as the
 *  signal fires. */
export async function wait(ms: number, signal: AbortSignal, sentence: string): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch (cause) {
    throw new GatewayError('cancelled', sentence, { cause })
  }
}
