import { rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { JsonBody } from '../body/body.ts'
import type { HttpDeps } from '../deps.ts'
import type { Call } from './call.ts'

const noFields: ReadonlySet<string> = new Set()

export const noBody: JsonBody = { value: undefined, spilled: new Map(), exactIntegers: new Map(), discard: async () => {} }

/** A call as it begins, before anything of its body is read. */
export function openCall(
  deps: HttpDeps,
  response: ServerResponse,
  facts: Pick<Call, 'requestId' | 'operation' | 'key' | 'endpoint' | 'route' | 'publicUrl' | 'hops'>,
): Call {
  return {
    ...facts,
    startedAt: performance.now(),
    body: noBody,
    runs: [],
    warnings: [],
    headers: {},
    presentFields: noFields,
    ...callScratch(deps, facts.requestId),
    ...callSignal(deps, response),
  }
}

/** Made at the first use: an abort controller costs more than a relay can spare. */
function callSignal({ underway }: HttpDeps, response: ServerResponse): Pick<Call, 'signal'> {
  let controller: AbortController | undefined
  return {
    signal: () => {
      if (controller) return controller.signal
      const made = new AbortController()
      controller = made
      const slot = underway.add({ cut: error => made.abort(error) })
      const leave = () => {
        underway.delete(slot)
        if (!response.writableFinished) made.abort(new GatewayError('cancelled', 'The caller left.'))
      }
      if (response.destroyed) leave()
      else response.once('close', leave)
      return made.signal
    },
  }
}

function callScratch(deps: HttpDeps, requestId: string): Pick<Call, 'scratch' | 'dispose'> {
  let folder: Promise<string> | undefined
  return {
    scratch: () => {
      folder ??= deps.blobs.scratch(`call-${requestId}`)
      return folder
    },
    dispose: async () => {
      if (folder) await rm(await folder, { recursive: true, force: true })
    },
  }
}
