import { type DriverSpec, defineDriver } from '@generation-gateway/kit/driver.ts'
import type { ImageEditRequest, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import { createUrlGuard } from '../upstream/url-guard.ts'
import { imageRuns } from './image-runs.ts'
import { installedPackages, type PackageSource, providerPackages } from './packages.ts'
import { createServiceAgent } from './service-fetch.ts'
import { factsOf, settingsSchema } from './settings.ts'

const title = 'AI SDK provider package'

export default aiSdkDriver(installedPackages)

/** Image models of any provider package of the Vercel AI SDK. The packages are no dependencies: an operator adds those that are used. */
export function aiSdkDriver(source: PackageSource): DriverSpec {
  return defineDriver({
    id: 'ai-sdk',
    title,
    kind: 'upstream',
    settings: settingsSchema,
    open: ({ allowPrivateUrls, log }) => {
      const packages = providerPackages(source)
      const agent = createServiceAgent()
      const guard = createUrlGuard({ allowPrivate: allowPrivateUrls })
      const tools = { packages, connections: { agent, guard }, log }
      return {
        id: 'ai-sdk',
        title,
        // Answers are held in memory, each run's up to its limit.
        queue: { name: 'upstream:ai-sdk', slots: 16 },
        offers: { 'image.generate': imageRuns<ImageGenerateRequest>(tools), 'image.edit': imageRuns<ImageEditRequest>(tools) },
        unusable: settings => {
          const facts = factsOf(settings)
          return facts.problem ?? packages.problemOf(facts)
        },
        close: async () => {
          await Promise.all([agent.destroy(), guard.close()])
        },
      }
    },
  })
}
