import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { newSecret } from '../core/records/id.ts'
import type { SecretKeys } from '../stores/sql/seal.ts'

/** The settings that decide on the secret keys. */
interface SecretKeySettings {
  dataDir: string
  secretKey: string | undefined
  secretKeyFallbacks: readonly string[]
}

/** Returns the key that encrypts stored secrets, and the keys that only decrypt them. The first is
 *  the value of the setting, else the content of the file `secret.key` in the data folder. Creates
 *  the file when it is missing. Throws `invalid_request` with the variable of a malformed key. */
export function secretKeysOf({ dataDir, secretKey, secretKeyFallbacks }: SecretKeySettings): SecretKeys {
  const file = join(dataDir, 'secret.key')
  const text = secretKey ?? readOrMake(file, () => randomBytes(32).toString('base64'))
  return {
    secretKey: keyOf(text, { shown: secretKey === undefined ? file : 'GATEWAY_SECRET_KEY', field: 'GATEWAY_SECRET_KEY' }),
    fallbackKeys: secretKeyFallbacks.map((fallback, index) =>
      keyOf(fallback, { shown: `Key ${index + 1} of GATEWAY_SECRET_KEY_FALLBACKS`, field: 'GATEWAY_SECRET_KEY_FALLBACKS' }),
    ),
  }
}

/** Returns the same keys as `secretKeysOf`, but throws when there is neither the setting nor the
 *  file. `whose` names, for the error message, the store to which the key must belong. */
export function givenSecretKeys(settings: SecretKeySettings, whose: string): SecretKeys {
  if (settings.secretKey !== undefined || existsSync(join(settings.dataDir, 'secret.key'))) return secretKeysOf(settings)
  throw new GatewayError(
    'invalid_request',
    `GATEWAY_SECRET_KEY is not set, and ${settings.dataDir} has no file secret.key; it must be the key of ${whose}.`,
    { field: 'GATEWAY_SECRET_KEY' },
  )
}

function keyOf(text: string, { shown, field }: { shown: string; field: string }): Buffer {
  const key = Buffer.from(text, 'base64')
  if (key.length === 32) return key
  throw new GatewayError('invalid_request', `${shown} has ${key.length} bytes; it must be the base64 of 32 bytes.`, { field })
}

/** Returns the key of the admin API: the value of the setting, else the content of the file
 *  `admin.key` in the data folder. Creates the file when it is missing. */
export function adminKeyOf(dataDir: string, setting: string | undefined): string {
  return setting ?? readOrMake(join(dataDir, 'admin.key'), () => `admin-${newSecret(30)}`)
}

/** Returns the keys of the admin API: the current one, and the previous one if it is set. */
export function adminKeysOf(config: { dataDir: string; adminKey: string | undefined; previousAdminKey: string | undefined }): string[] {
  const current = adminKeyOf(config.dataDir, config.adminKey)
  return config.previousAdminKey === undefined ? [current] : [current, config.previousAdminKey]
}

/** Writes the text to a file that only its owner may read, in place of an earlier file. Never
 *  leaves a partly written file. */
export function writePrivateFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}`
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  rmSync(draft, { force: true })
  writeFileSync(draft, `${text}\n`, { mode: 0o600, flag: 'wx', flush: true })
  renameSync(draft, path)
}

function readOrMake(path: string, make: () => string): string {
  const text = readIfPresent(path)?.trim()
  // An empty file counts as missing: an empty admin key would admit every caller, and an empty
  // secret key would protect nothing.
  if (text) return text
  const made = make()
  writePrivateFile(path, made)
  return made
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
