import type { UpstreamSpec } from '@generation-gateway/kit/driver.ts'
import { serviceDriver } from '../../shared/upstream/service-driver.ts'
import { imageRuns } from './image-runs.ts'
import { installedPackages, type PackageSource, providerPackages } from './packages.ts'
import { createPlaces } from './places.ts'
import { createServiceAgent } from './service-fetch.ts'
import { settings } from './settings.ts'
import { videoExtras } from './video-files.ts'
import { videoRuns } from './video-runs.ts'

export default aiSdkDriver(installedPackages)

/** Runs whose pictures are in memory at a time, up to their limit each. Videos that are looked at are not among them. */
const mostInMemory = 16
const extras = ['series', 'watermark', 'guidance', 'webSearch', 'promptMode', 'flags'] as const

/** Image and video models of any provider package of the Vercel AI SDK. The packages are no dependencies: an operator adds those that are used. */
export function aiSdkDriver(source: PackageSource): UpstreamSpec {
  return serviceDriver({
    id: 'ai-sdk',
    title: 'AI SDK provider package',
    settings,
    open: ({ guard, log, inspection }) => {
      const packages = providerPackages(source)
      const agent = createServiceAgent()
      const tools = { packages, connections: { agent, guard }, log, inspection, places: createPlaces(mostInMemory) }
      const runs = imageRuns(tools)
      return {
        // What the package of a target has no option for it refuses, or tells that it was not followed.
        offers: {
          'image.generate': { ...runs, follows: extras },
          'image.edit': { ...runs, follows: [...extras, 'regions'] },
          'video.generate': { ...videoRuns(tools), follows: videoExtras },
        },
        unusable: given => packages.problemOf(settings.targetOf(given)),
        close: () => agent.destroy(),
      }
    },
  })
}
