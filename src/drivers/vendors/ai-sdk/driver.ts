import type { UpstreamSpec } from '@generation-gateway/kit/driver.ts'
import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { createCallSlots } from './call-slots.ts'
import { imageRuns } from './image-runs.ts'
import { installedPackages, type PackageSource, providerPackages } from './packages.ts'
import { ServiceAgents } from './service-fetch.ts'
import { settings } from './settings.ts'
import { videoExtras } from './video-files.ts'
import { videoRuns } from './video-runs.ts'

export default aiSdkDriver(installedPackages)

/** Number of runs that may hold their pictures in memory at the same time, each up to its limit.
 *  Polling of videos is not counted. */
const mostInMemory = 16
const extras = ['series', 'watermark', 'guidance', 'webSearch', 'promptMode', 'flags'] as const

/** Returns a driver for the image and video models of any provider package of the Vercel AI SDK.
 *  The packages are not dependencies: an operator installs the ones in use. */
export function aiSdkDriver(source: PackageSource): UpstreamSpec {
  return serviceDriver({
    id: 'ai-sdk',
    title: 'AI SDK provider package',
    settings,
    open: ({ guard, log, inspection, outbound }) => {
      const packages = providerPackages(source)
      const agents = new ServiceAgents(outbound)
      const tools = { packages, connections: { agents, guard }, log, inspection, places: createCallSlots(mostInMemory) }
      const runs = imageRuns(tools)
      return {
        // A field for which the target's package has no option is refused, or reported as ignored.
        offers: {
          'image.generate': { ...runs, follows: extras },
          'image.edit': { ...runs, follows: [...extras, 'regions'] },
          'video.generate': { ...videoRuns(tools), follows: videoExtras },
        },
        unusable: given => packages.problemOf(settings.targetOf(given)),
        close: () => agents.destroy(),
      }
    },
  })
}
