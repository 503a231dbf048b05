import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { GatewayError } from './core/errors.ts'
import { newSecret } from './core/id.ts'

/** Bytes of the key that encrypts stored secrets: the setting, else the file `secret.key` of the data folder, made when missing. */
export function secretKeyOf(dataDir: string, setting: string | undefined): Buffer {
  const text = setting ?? readOrMake(join(dataDir, 'secret.key'), () => randomBytes(32).toString('base64'))
  const key = Buffer.from(text, 'base64')
  if (key.length === 32) return key
  throw new GatewayError('invalid_request', `GATEWAY_SECRET_KEY has ${key.length} bytes; it must be the base64 of 32 bytes.`, {
    field: 'GATEWAY_SECRET_KEY',
  })
}

/** Key of the admin API: the setting, else the file `admin.key` of the data folder, made when missing. */
export function adminKeyOf(dataDir: string, setting: string | undefined): string {
  return setting ?? readOrMake(join(dataDir, 'admin.key'), () => `admin-${newSecret(30)}`)
}

/** Keeps the text in a file that only the owner may read. */
export function writePrivateFile(path: string, text: string): void {
  writeFileSync(path, `${text}\n`, { mode: 0o600 })
}

function readOrMake(path: string, make: () => string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const made = make()
  writeFileSync(path, `${made}\n`, { mode: 0o600, flag: 'wx' })
  return made
}
