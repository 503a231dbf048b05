import { FairQueue } from '@generation-gateway/kit/process/fair-queue.ts'
import type { Download } from '../deps.ts'

/** Largest number of downloads of one account at a time: half of the connections that the gateway
 *  makes to one host. */
const accountDownloads = 8

/** Returns a function that downloads as `download` does, but for each account only a few files
 *  at a time, so that the links of one account, perhaps to a slow server, do not take all
 *  connections to a host. The time limit of a download does not include the wait. */
export function createLinkDownloads(download: Download): Download {
  const accounts = new Map<string, { queue: FairQueue; users: number }>()
  return async (url, options) => {
    const { account, signal } = options
    const entry = accounts.get(account) ?? { queue: new FairQueue({ places: accountDownloads }), users: 0 }
    accounts.set(account, entry)
    entry.users += 1
    try {
      using _turn = await entry.queue.take({ signal })
      return await download(url, options)
    } finally {
      entry.users -= 1
      if (entry.users === 0) accounts.delete(account)
    }
  }
}
