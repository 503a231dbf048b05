import { setTimeout as sleep } from 'node:timers/promises'

/** Polls `look` and resolves with its first result that is neither undefined nor false. Throws
 *  after two minutes: pictures take long on a machine that also runs other tests. */
export async function until<T>(look: () => Promise<T | undefined> | T | undefined, what: string): Promise<T> {
  for (let tries = 0; tries < 4_800; tries++) {
    const seen = await look()
    if (seen !== undefined && seen !== false) return seen
    await sleep(25)
  }
  throw new Error(`${what} did not happen within two minutes`)
}
