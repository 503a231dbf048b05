/** Rules of the speech families on a text. */
import type { Rule } from '../../contract/operation.ts'

/** Rule: the text in this field contains no lone surrogate, which cannot be spoken. */
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
