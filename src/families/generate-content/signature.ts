/** Signatures of parts. A signature of an upstream of this protocol passes unchanged. What
 *  another target requires in the next turn is packed into a signature that the gateway makes;
 *  it is base64, because clients read every signature as bytes. */
import { sealedMark } from '@generation-gateway/kit/requests/carried.ts'
import { type SealedReasoning, sealed, unsealed } from '../shared/sealed-reasoning.ts'

/** Returns the reasoning as a signature. */
export function signatureOf(reasoning: SealedReasoning): string {
  return Buffer.from(sealed(reasoning)).toString('base64')
}

/** Returns the reasoning in a signature that this gateway made; undefined for any other one. Throws
 *  the error of `damaged` for a signature that was changed. */
export function reasoningIn(signature: string, damaged: (says: string) => Error): SealedReasoning | undefined {
  const text = Buffer.from(signature, 'base64').toString()
  return text.startsWith(sealedMark) ? unsealed(text, damaged) : undefined
}
