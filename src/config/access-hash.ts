import { hashKey } from '../core/access.ts'
import type { ConfigFile } from './config-schema.ts'

/** SHA-256 in hex of the file's accounts, keys and endpoints, with the values of the variables that
 *  they name. Two files that differ in other parts, or in layout, have the same. */
export function accessHashOf({ accounts = [] }: ConfigFile, env: Record<string, string | undefined>): string {
  const resolved = accounts.map(({ webhook_secret_env: webhook = '', keys = [], ...account }) => ({
    ...account,
    webhookSecret: hashKey(env[webhook] ?? ''),
    keys: keys.map(({ secret, secret_env: variable = '', ...key }) => ({ ...key, secret: hashKey(secret ?? env[variable] ?? '') })),
  }))
  return hashKey(JSON.stringify(resolved, inOrder))
}

/** Replacer that writes the members of each object in the order of their names. */
function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
