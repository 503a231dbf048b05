import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { checkedFacts } from '../body/input-files.ts'
import type { Provision } from './provision.ts'

export const buckets: Provision<'buckets'> = ({ deps, call }) => ({
  async put(bucket, name, { id }) {
    const blob = await deps.store.blob(id)
    if (!blob) throw new GatewayError('gone', 'The file was swept.')
    await deps.buckets.put(bucket, name, blob)
  },
  async fetch(bucket, name, { field, role, limits }) {
    const path = join(await call.scratch(), `object-${randomUUID()}`)
    const bytes = await deps.buckets.fetch(bucket, name, { toFile: path, maxBytes: limits.maxBytes })
    return bytes === undefined ? undefined : { ...(await checkedFacts(deps, call, { field, path, bytes, limits })), role, field, path }
  },
})
