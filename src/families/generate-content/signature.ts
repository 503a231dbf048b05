/** Makes and reads signatures of parts. A signature that an upstream of this protocol made passes
 *  unchanged. For other targets, the gateway packs the data that they require in the next turn into
 *  a signature of its own, in base64, because clients decode every signature as base64. */
import { sealedMark } from '@generation-gateway/kit/requests/carried.ts'
import { type SealedReasoning, sealed, unsealed } from '../shared/sealed-reasoning.ts'

/** Returns the reasoning as a signature. */
export function signatureOf(reasoning: SealedReasoning): string {
  return Buffer.from(sealed(reasoning)).toString('base64')
}

/** Returns the reasoning in a signature that this gateway made; undefined for any other
 *  signature. Throws the error of `damaged` for a signature of the gateway that is damaged. */
export function reasoningIn(signature: string, damaged: (says: string) => Error): SealedReasoning | undefined {
  const text = Buffer.from(signature, 'base64').toString()
  return text.startsWith(sealedMark) ? unsealed(text, damaged) : undefined
}
