/** Decides whether the body of a request for content can be sent to an upstream unchanged. */
import { type JsonObject, objectOf, objectsOf } from '@generation-gateway/kit/json.ts'
import { sealedMark } from '@generation-gateway/kit/requests/carried.ts'
import type { TextFacts } from '../text-target.ts'

/** The beginning of every signature that this gateway made: its mark in base64. The last character
 *  is cut off, because it also depends on the text after the mark. */
const ours = Buffer.from(sealedMark)
  .toString('base64')
  .slice(0, Math.floor((sealedMark.length * 8) / 6))

/** Returns false for a body with a signature that this gateway made for the answer of another kind
 *  of target. No upstream understands such a signature, so the body must be translated. */
export function acceptsContent({ contents }: JsonObject): boolean {
  return !objectsOf(contents).some(({ parts }) => objectsOf(parts).some(isOurs))
}

/** Returns true when the body of a request for a count of tokens can be sent unchanged
 *  (docs/vendors/gemini.md#count-of-tokens). */
export function acceptsCount(body: JsonObject, { isVertex = false }: Pick<TextFacts, 'isVertex'>): boolean {
  const refused = isVertex ? onlyInGemini : onlyOnVertex
  if (refused.some(name => body[name] != null)) return false
  return acceptsContent(body) && acceptsContent(objectOf(body.generateContentRequest))
}

const onlyOnVertex = ['systemInstruction', 'tools', 'toolConfig', 'generationConfig']
const onlyInGemini = ['generateContentRequest', 'toolConfig']

function isOurs({ thoughtSignature }: JsonObject): boolean {
  return typeof thoughtSignature === 'string' && thoughtSignature.startsWith(ours)
}
