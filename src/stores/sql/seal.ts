import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { GatewayError } from '@generation-gateway/kit/errors.ts'

const formatVersion = 1
const nonceBytes = 12
const tagBytes = 16
const headBytes = 1 + nonceBytes + tagBytes

/** Encrypts secrets for rows with AES-256-GCM. `context` names the row of the secret, so that a
 *  sealed text moved to another row does not open. */
export interface SealBox {
  /** Base64 of version, nonce, tag and ciphertext. */
  seal(secret: string | Buffer, context: string): string
  /** Throws `store_unavailable` when the text was sealed under another key or for another row. */
  open(sealed: string, context: string): Buffer
}

/** Returns a box with a 32-byte key. Throws `store_unavailable` for any other length. */
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
