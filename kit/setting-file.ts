/** Reads files that settings name. */
import { readFileSync } from 'node:fs'
import { GatewayError } from './errors.ts'

/** Returns the text of a file. Throws `invalid_request` with the setting, the path and the reason
 *  when the file cannot be read. */
export function readSettingFile(path: string, setting: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw wrongFile(path, setting, `cannot be read (${Object(error).code})`, error)
  }
}

/** Returns the secret in a file, without the white space around it. Throws as `readSettingFile`
 *  does, and also when the file is empty. */
export function readSecretFile(path: string, setting: string): string {
  const secret = readSettingFile(path, setting).trim()
  if (secret === '') throw wrongFile(path, setting, 'is empty')
  return secret
}

/** Returns the error about a file that a setting names. `reason` completes the sentence
 *  "SETTING names PATH, which ...". */
export function wrongFile(path: string, setting: string, reason: string, cause?: unknown): GatewayError {
  return new GatewayError('invalid_request', `${setting} names ${path}, which ${reason}.`, { field: setting, cause })
}
