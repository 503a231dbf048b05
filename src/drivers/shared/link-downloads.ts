import { FairQueue } from '@generation-gateway/kit/process/fair-queue.ts'
import type { DownloadOptions, DownloadResult } from './upstream/url-guard.ts'

/** Downloads a URL that a caller of the account sent. Rejects with the reason of the signal while
 *  the download waits for its turn, else with the errors of `UrlGuard.download`. */
export type LinkDownload = (url: string, options: DownloadOptions & { account: string; signal: AbortSignal }) => Promise<DownloadResult>

/** Largest number of downloads of one account at a time. Connections to a host have no limit for
 *  all accounts together, which accounts with slow links could use up. */
const accountDownloads = 8

/** Returns a function that downloads as `download` does, but for each account only a few files at a
 *  time. The time limit of a download does not include the wait. */
export function createLinkDownloads(download: (url: string, options: DownloadOptions) => Promise<DownloadResult>): LinkDownload {
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
