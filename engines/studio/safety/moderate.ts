/** Judges texts for `text.moderate` by the studio's safety rules for prompts, and reports the
 *  verdicts in the categories of the capability. */
import type { EngineCall } from '@generation-gateway/kit/process/child.ts'
import type { Outcome } from '@generation-gateway/kit/requests/job.ts'
import {
  type ModerateRequest,
  type ModerationCategory,
  type ModerationVerdict,
  moderatedTokens,
} from '@generation-gateway/kit/requests/moderate.ts'
import { judgedPieces } from '@generation-gateway/kit/safety/judged-pieces.ts'
import { severityOf } from '@generation-gateway/kit/safety/prompt-rules.ts'
import { defaultTolerance, type SafetyReason } from '@generation-gateway/kit/safety/verdict.ts'

/** The category of each reason. Profanity and personal data are missing, because moderation has no
 *  category for them. The rules do not distinguish the finer categories, such as threats. */
const categoriesOf: readonly (readonly [SafetyReason, ModerationCategory])[] = [
  ['Sexual Content', 'sexual'],
  ['Minors', 'sexual/minors'],
  ['Violence', 'violence'],
  ['Hate', 'hate'],
  ['Self Harm', 'self-harm'],
  ['Illegal Goods', 'illicit'],
  ['Harassment', 'harassment'],
]

/** Number of tolerances; they are 0 to 6. */
const tolerances = 7

/** Reports the verdict of each input, and returns the outcome. The score of a category is the
 *  share of the tolerances at which the rules refuse the text because of this category. A
 *  category is flagged when the rules refuse the text because of it at the default tolerance.
 *  Pictures are not judged. */
export async function moderate({ inputs }: ModerateRequest, { tell, giveWay }: Pick<EngineCall, 'tell' | 'giveWay'>): Promise<Outcome> {
  for (const parts of inputs) {
    const verdicts = [await verdictOf(parts.map(part => (part.type === 'text' ? part.text : '')).join('\n'), giveWay)]
    tell({ type: 'event', event: { type: 'verdicts', verdicts } })
  }
  const inputTokens = moderatedTokens(inputs)
  const usage = [{ unit: 'input_tokens', units: inputTokens }]
  return { state: 'done', files: [], report: { usage: { inputTokens } }, usage }
}

async function verdictOf(text: string, giveWay: EngineCall['giveWay']): Promise<ModerationVerdict> {
  const severities = new Map<SafetyReason, number>()
  for await (const piece of judgedPieces(text, giveWay))
    for (const [reason, severity] of severityOf(piece)) severities.set(reason, Math.max(severity, severities.get(reason) ?? 0))
  const categories: ModerationVerdict['categories'] = {}
  for (const [reason, name] of categoriesOf) {
    const severity = severities.get(reason) ?? 0
    categories[name] = { isFlagged: severity > defaultTolerance, score: severity / tolerances, of: ['text'] }
  }
  return { isFlagged: Object.values(categories).some(({ isFlagged }) => isFlagged), categories }
}
