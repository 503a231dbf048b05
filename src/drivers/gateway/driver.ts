import { type DriverSpec, defineDriver, polled } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { ImageEditRequest, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { AskedJob, InputFile, Job, Offers } from '@generation-gateway/kit/requests/job.ts'
import { refusalBy } from '../refusal.ts'
import { relayOffer } from '../text/text-relay.ts'
import { respondOffer } from '../text/text-respond.ts'
import { createUpstream } from '../upstream/upstream.ts'
import { createUrlGuard } from '../upstream/url-guard.ts'
import { editFields, generateFields, sentBody } from './image-body.ts'
import { startedTask, startTask, type TaskTools } from './image-tasks.ts'
import { factsOf, settingsSchema } from './settings.ts'

const title = 'Another gateway'

interface GatewayDriverOptions {
  /** Waits before a submit of unknown fate is repeated, milliseconds; one repeat for each. */
  repeatAfterMs: readonly number[]
}

export default gatewayDriver({ repeatAfterMs: [200, 1_000, 3_000] })

/** Another gateway of this kind, over this very interface: pictures over F1, conversations over chat and responses. */
export function gatewayDriver({ repeatAfterMs }: GatewayDriverOptions): DriverSpec {
  return defineDriver({
    id: 'gateway',
    title,
    kind: 'upstream',
    settings: settingsSchema,
    open: ({ allowPrivateUrls }) => {
      const upstream = createUpstream()
      const guard = createUrlGuard({ allowPrivate: allowPrivateUrls })
      return {
        id: 'gateway',
        title,
        queue: { name: 'upstream:gateway', slots: 64 },
        offers: { 'text.respond': respondOffer(upstream, factsOf), ...imageOffers({ upstream, guard, repeatAfterMs }) },
        relays: {
          chat: relayOffer(upstream, 'chat', { targetOf: factsOf, fits: () => true }),
          responses: relayOffer(upstream, 'responses', { targetOf: factsOf, fits: () => true }),
        },
        unusable: settings => factsOf(settings).problem,
        close: async () => {
          await Promise.all([upstream.close(), guard.close()])
        },
      }
    },
  })
}

function imageOffers(tools: TaskTools): Pick<Offers, 'image.generate' | 'image.edit'> {
  return {
    'image.generate': polled<ImageGenerateRequest>({
      isIdempotent: true,
      ...startedTask(tools),
      refuses: asked => refusalBy(() => drawingOf(asked)),
      start: async job => startTask(tools, job, sentBody(drawingOf(job), undefined)),
    }),
    'image.edit': polled<ImageEditRequest>({
      isIdempotent: true,
      ...startedTask(tools),
      refuses: ({ request, model }) => refusalBy(() => editFields(request, model)),
      start: async job => startTask(tools, job, sentBody(editFields(job.request, job.model), inputOf(job))),
    }),
  }
}

function drawingOf({ request, model, settings }: AskedJob<ImageGenerateRequest>): JsonObject {
  return generateFields(request, model, factsOf(settings).imageSize)
}

function inputOf({ inputs }: Job<ImageEditRequest>): InputFile {
  const [input] = inputs
  if (input === undefined) throw new GatewayError('invalid_request', 'An edit needs a picture.', { field: 'image' })
  return input
}
