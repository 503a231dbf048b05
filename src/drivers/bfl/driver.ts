import { type DriverSpec, defineDriver, polled } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { ImageEditRequest, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Job, Offers } from '@generation-gateway/kit/requests/job.ts'
import { refusalBy } from '../refusal.ts'
import type { SentBody } from '../upstream/sent-body.ts'
import { createUpstream, type Upstream } from '../upstream/upstream.ts'
import { createUrlGuard, type UrlGuard } from '../upstream/url-guard.ts'
import { type AskedOf, editFields, generateFields } from './fields.ts'
import { lookAt, shortestPollMs } from './look.ts'
import { groupOf, settingsSchema } from './settings.ts'
import { submit } from './submit.ts'
import { submitBody } from './submit-body.ts'

const title = 'Black Forest Labs (FLUX)'

interface Tools {
  /** For submits alone. */
  submits: Upstream
  looks: Upstream
  guard: UrlGuard
  now(): number
}

export default bflDriver(Date.now)

/** The FLUX models of Black Forest Labs. `now`: Unix milliseconds. The vendor cannot cancel: a task that is given up here is drawn there, and paid. */
export function bflDriver(now: () => number): DriverSpec {
  return defineDriver({
    id: 'bfl',
    title,
    kind: 'upstream',
    settings: settingsSchema,
    open: ({ allowPrivateUrls }) => {
      const tools: Tools = {
        submits: createUpstream(),
        looks: createUpstream(),
        guard: createUrlGuard({ allowPrivate: allowPrivateUrls }),
        now,
      }
      return {
        id: 'bfl',
        title,
        // `vendors-media.md` 2.1: 24 active tasks per account; more would be refused and come back.
        queue: { name: 'upstream:bfl', slots: 24 },
        offers: offersOf(tools),
        unusable: (settings, model) => {
          const group = groupOf(settings, model)
          return typeof group === 'string' ? group : undefined
        },
        close: async () => {
          await Promise.all([tools.submits.close(), tools.looks.close(), tools.guard.close()])
        },
      }
    },
  })
}

function offersOf(tools: Tools): Pick<Offers, 'image.generate' | 'image.edit'> {
  const start = async (job: Job<ImageGenerateRequest | ImageEditRequest>, body: SentBody) => {
    const handle = await submit({ upstream: tools.submits, job, body, now: tools.now() })
    return { state: 'started', handle } as const
  }
  const check = (job: Job<ImageGenerateRequest | ImageEditRequest>, handle: Parameters<typeof lookAt>[2]) =>
    lookAt({ upstream: tools.looks, guard: tools.guard, now: tools.now() }, job, handle)
  return {
    'image.generate': polled<ImageGenerateRequest>({
      pollEveryMs: shortestPollMs,
      refuses: asked => refusalBy(() => generateFields(asked.request, askedOf(asked))),
      start: async job => start(job, submitBody({ ...generateFields(job.request, askedOf(job)), ...wakeOf(job) }, job.request.seed)),
      check,
    }),
    'image.edit': polled<ImageEditRequest>({
      pollEveryMs: shortestPollMs,
      refuses: asked => refusalBy(() => editFields(asked.request, inputOf(asked), askedOf(asked))),
      start: async job => {
        const picture = inputOf(job)
        return start(job, submitBody({ ...editFields(job.request, picture, askedOf(job)), ...wakeOf(job) }, job.request.seed, picture))
      },
      check,
    }),
  }
}

/** The vendor calls it when the task has ended: the next look then comes at once. */
function wakeOf({ wakeUrl }: Job<unknown>): JsonObject {
  return wakeUrl === undefined ? {} : { webhook_url: wakeUrl }
}

/** Throws `capability_unavailable` for a target that cannot be used. */
function askedOf({ settings, model }: Pick<Job<unknown>, 'settings' | 'model'>): AskedOf {
  const group = groupOf(settings, model)
  if (typeof group === 'string') throw new GatewayError('capability_unavailable', group)
  return { model, group }
}

function inputOf<Input>({ inputs }: { inputs: readonly Input[] }): Input {
  const [input] = inputs
  if (input === undefined) throw new GatewayError('invalid_request', 'An edit needs a picture.', { field: 'image' })
  return input
}
