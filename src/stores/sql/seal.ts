import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { GatewayError } from '@generation-gateway/kit/errors.ts'

const formatVersion = 1
const nonceBytes = 12
const tagBytes = 16
const headBytes = 1 + nonceBytes + tagBytes

/** Encrypts and decrypts secrets in rows with AES-256-GCM. `context` identifies the row of the
 *  secret, so that an encrypted text that was moved to another row cannot be decrypted. */
export interface SealBox {
  /** Encrypts a secret. Returns base64 of version, nonce, tag and ciphertext. */
  seal(secret: string | Buffer, context: string): string
  /** Decrypts a text. Throws `store_unavailable` when it was encrypted with another key or for
   *  another row, is damaged, or has another format version. */
  open(sealed: string, context: string): Buffer
}

/** Returns a box that uses a key of 32 bytes. Throws `store_unavailable` for a key of any other
 *  length. */
export function createSealBox(secretKey: Buffer): SealBox {
  if (secretKey.length !== 32) {
    throw new GatewayError('store_unavailable', `The secret key is ${secretKey.length} bytes long; it must be 32.`)
  }
  return {
    seal(secret, context) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', secretKey, nonce, { authTagLength: tagBytes })
      cipher.setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(secret), cipher.final()])
      return Buffer.concat([Buffer.of(formatVersion), nonce, cipher.getAuthTag(), body]).toString('base64')
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed, 'base64')
      if (bytes[0] !== formatVersion || bytes.length < headBytes) throw unreadable(context)
      const nonce = bytes.subarray(1, 1 + nonceBytes)
      const decipher = createDecipheriv('aes-256-gcm', secretKey, nonce, { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(bytes.subarray(1 + nonceBytes, headBytes))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(headBytes)), decipher.final()])
      } catch (cause) {
        throw unreadable(context, cause)
      }
    },
  }
}

function unreadable(context: string, cause?: unknown): GatewayError {
  return new GatewayError('store_unavailable', `The stored secret of ${context} does not open with this secret key.`, { cause })
}
