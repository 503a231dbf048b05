import type { DriverTools, UpstreamSpec } from '@generation-gateway/kit/driver.ts'
import { createLinkDownloads } from '../../shared/link-downloads.ts'
import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { createCallSlots } from './call-slots.ts'
import { imageRuns } from './image-runs.ts'
import { installedPackages, type PackageSource, providerPackages } from './packages.ts'
import { inlineHost, type PackageHost, processHost } from './process/package-processes.ts'
import { settings } from './settings.ts'
import { textRuns } from './text/runs.ts'
import { embedRuns } from './vectors/embed.ts'
import { rerankRuns } from './vectors/rerank.ts'
import { videoExtras } from './video-files.ts'
import { videoRuns } from './video-runs.ts'

export default aiSdkDriver(installedPackages, log => processHost(log))

/** Number of runs that may hold pictures in memory at the same time. Each run has its own limit of
 *  bytes. Polls of videos are not counted. */
const mostInMemory = 16
const extras = ['series', 'watermark', 'guidance', 'webSearch', 'promptMode', 'flags'] as const

/** Returns a driver for the language, embedding, reranking, image and video models of any provider
 *  package of the Vercel AI SDK. The gateway does not depend on these packages; the operator
 *  installs those that targets use. `hostOf` returns the host that runs the packages. By default,
 *  they run in this process. */
export function aiSdkDriver(
  source: PackageSource,
  hostOf: (log: DriverTools['log']) => PackageHost = () => inlineHost(source),
): UpstreamSpec {
  const driver = serviceDriver({
    id: 'ai-sdk',
    title: 'AI SDK provider package',
    settings,
    open: ({ upstream, submits, guard, log, inspection }) => {
      const packages = providerPackages(source)
      const host = hostOf(log)
      const download = createLinkDownloads((url, options) => guard.download(url, options))
      const connections = { upstream, submits, guard, download }
      const tools = { packages, host, connections, log, inspection, places: createCallSlots(mostInMemory) }
      const runs = imageRuns(tools)
      return {
        // The offers list all extra fields. When the package of a target has no option for one, the
        // driver refuses it or reports it as ignored.
        offers: {
          'image.generate': { ...runs, follows: extras },
          'image.edit': { ...runs, follows: [...extras, 'regions'] },
          'video.generate': { ...videoRuns(tools), follows: videoExtras },
          'text.respond': textRuns(tools),
          'text.embed': embedRuns(tools),
          'text.rerank': rerankRuns(tools),
        },
        unusable: given => packages.problemOf(settings.targetOf(given)),
        close: () => host.close(),
      }
    },
  })
  // Without `base_url`, only the package knows the address of its service.
  return { ...driver, addressOf: given => (settings.targetOf(given).baseOrigin === undefined ? undefined : driver.addressOf?.(given)) }
}
