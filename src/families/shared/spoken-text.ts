/** Rules on texts that are to be spoken, for all speech families. */
import { type SpeechRequest, spokenTexts } from '@generation-gateway/kit/requests/speech.ts'
import type { Rule } from '../../contract/operation.ts'

/** Returns the rule that the text in this field contains no lone surrogate, which cannot be
 *  spoken. */
export function wellFormedText<Field extends string>(field: Field): Rule<{ [name in Field]?: string }> {
  return {
    id: `${field.replaceAll('_', '-')}-well-formed`,
    says: `${field} is well-formed Unicode.`,
    field,
    source: 'ours',
    holds: body => body[field]?.isWellFormed() ?? true,
    explain: () => `${field} has half of a surrogate pair; it must be well-formed Unicode.`,
  }
}

/** Returns the rule that the text has at most `most` characters. */
export function textLength<Field extends string>(
  field: Field,
  most: number,
  more: Pick<Rule<never>, 'groups'> & { id?: string; of?: string } = {},
): Rule<{ [name in Field]: string }> {
  const { id = `${field}-length`, of = '', ...groups } = more
  return {
    ...{ id, says: `${field} has at most ${most} characters.`, field, ...groups },
    // A text never has more code points than UTF-16 units, so the cheap test comes first.
    holds: body => body[field].length <= most || [...body[field]].length <= most,
    explain: body => `${field} has ${[...body[field]].length} characters; at most ${most}${of}.`,
  }
}

/** Returns the whole text that is spoken, for families that limit it as one text. */
export function spokenText(request: Pick<SpeechRequest, 'text' | 'cues' | 'passages'>): string {
  return spokenTexts(request).join('')
}
