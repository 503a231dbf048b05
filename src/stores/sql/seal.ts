import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { GatewayError } from '@generation-gateway/kit/errors.ts'

const formatVersion = 1
const nonceBytes = 12
const tagBytes = 16
const headBytes = 1 + nonceBytes + tagBytes

/** The secret keys of a gateway; each has 32 bytes. */
export interface SecretKeys {
  /** Encrypts and decrypts. */
  secretKey: Buffer
  /** Further keys, which only decrypt. Default: none. */
  fallbackKeys?: readonly Buffer[]
}

/** Returns all keys, the one that encrypts first. */
export function everyKey({ secretKey, fallbackKeys = [] }: SecretKeys): Buffer[] {
  return [secretKey, ...fallbackKeys]
}

/** Encrypts and decrypts secrets in rows with AES-256-GCM. `context` identifies the row of the
 *  secret, so that an encrypted text that was moved to another row cannot be decrypted. */
export interface SealBox {
  /** Name of the key that encrypts: 16 hex digits, which do not reveal the key. */
  keyId: string
  /** Encrypts a secret. Returns base64 of version, nonce, tag and ciphertext. */
  seal(secret: string | Buffer, context: string): string
  /** Decrypts a text. Throws `store_unavailable` when it was encrypted with another key or for
   *  another row, is damaged, or has another format version. */
  open(sealed: string, context: string): Buffer
  /** True when the key that encrypts also decrypts this text. */
  isCurrent(sealed: string, context: string): boolean
}

/** Returns a box that encrypts with the secret key, and decrypts with it and the fallback keys.
 *  Throws `store_unavailable` for a secret key of another length than 32 bytes. */
export function createSealBox(keys: SecretKeys): SealBox {
  const { secretKey } = keys
  if (secretKey.length !== 32) {
    throw new GatewayError('store_unavailable', `The secret key is ${secretKey.length} bytes long; it must be 32.`)
  }
  return {
    keyId: createHmac('sha256', secretKey).update('name of the secret key').digest('hex').slice(0, 16),
    seal(secret, context) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', secretKey, nonce, { authTagLength: tagBytes })
      cipher.setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(secret), cipher.final()])
      return Buffer.concat([Buffer.of(formatVersion), nonce, cipher.getAuthTag(), body]).toString('base64')
    },
    open(sealed, context) {
      let cause: unknown
      for (const key of everyKey(keys))
        try {
          return opened(sealed, context, key)
        } catch (error) {
          cause ??= error
        }
      throw new GatewayError('store_unavailable', `The stored secret of ${context} does not open with this secret key.`, { cause })
    },
    isCurrent(sealed, context) {
      try {
        opened(sealed, context, secretKey)
        return true
      } catch {
        return false
      }
    },
  }
}

function opened(sealed: string, context: string, key: Buffer): Buffer {
  const bytes = Buffer.from(sealed, 'base64')
  if (bytes[0] !== formatVersion || bytes.length < headBytes) throw new Error('not an encrypted text of this format')
  const nonce = bytes.subarray(1, 1 + nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(bytes.subarray(1 + nonceBytes, headBytes))
  return Buffer.concat([decipher.update(bytes.subarray(headBytes)), decipher.final()])
}
