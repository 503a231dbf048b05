import { hashKey } from '../core/access.ts'
import type { ConfigFile } from './config-schema.ts'

/** Returns a SHA-256, in hex, of the accounts, keys and endpoints in the file, and of the values
 *  of the environment variables that they name. Two files that differ only in other sections or
 *  in their layout have the same hash. */
export function accessHashOf({ accounts = [] }: ConfigFile, env: Record<string, string | undefined>): string {
  const resolved = accounts.map(({ webhook_secret_env: webhook = '', keys = [], ...account }) => ({
    ...account,
    webhookSecret: hashKey(env[webhook] ?? ''),
    keys: keys.map(({ secret, secret_env: variable = '', ...key }) => ({ ...key, secret: hashKey(secret ?? env[variable] ?? '') })),
  }))
  return hashKey(JSON.stringify(resolved, inOrder))
}

/** JSON replacer that sorts the members of each object by name. */
function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
