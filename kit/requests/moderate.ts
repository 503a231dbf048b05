/** Neutral request, events and result of `text.moderate`, which finds harmful contents in texts and
 *  pictures. The categories are those of OpenAI, which other services use, too. */
import type { JsonObject } from '../json.ts'
import { capability } from './capability.ts'
import { tokensIn } from './token-estimate.ts'

/** Largest number of inputs in one request, and of parts in one input. */
export const mostModerated = 128

export const moderationCategories = [
  ...(['harassment', 'harassment/threatening', 'hate', 'hate/threatening', 'illicit', 'illicit/violent'] as const),
  ...(['self-harm', 'self-harm/intent', 'self-harm/instructions', 'sexual', 'sexual/minors', 'violence', 'violence/graphic'] as const),
] as const
export type ModerationCategory = (typeof moderationCategories)[number]

/** A text, or a picture as an http(s) URL or a data URL. */
export type ModeratedPart = { type: 'text'; text: string } | { type: 'image'; url: string }

export type ModerateRequest = {
  /** Number of gateways the request has passed before this one. */
  hops?: number
  /** Each input gets one verdict, over all of its parts together. */
  inputs: ModeratedPart[][]
  /** Fields of the caller's body that have no counterpart in this request. They are sent
   *  unchanged to an upstream that speaks OpenAI's protocol. */
  extras?: JsonObject
}

/** A target's verdict on one input. Categories that the target does not know are absent. A `score`
 *  is 0 to 1. */
export type ModerationVerdict = {
  isFlagged: boolean
  categories: { [Category in ModerationCategory]?: { isFlagged: boolean; score: number; of: ('text' | 'image')[] } }
}

/** The verdicts of the next inputs, in the order of the inputs. */
export type ModerateEvent = { type: 'verdicts'; verdicts: ModerationVerdict[] }

export type ModerateResult = { usage: { inputTokens: number } }

export const textModerate = capability<ModerateRequest, ModerateResult, ModerateEvent>({
  failover: 'text',
  expectedUnits: ({ inputs }) => [{ unit: 'input_tokens', units: moderatedTokens(inputs) }],
})

/** Returns an estimate of the tokens in all texts. Services for moderation report no tokens. */
export function moderatedTokens(inputs: ModerateRequest['inputs']): number {
  return inputs.flat().reduce((sum, part) => sum + (part.type === 'text' ? tokensIn(part.text) : 0), 0)
}
