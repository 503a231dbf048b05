/** What families of speech ask of a text. */
import type { Rule } from '../../contract/operation.ts'

/** The text in this field has no half of a surrogate pair: nobody could say what it is. */
export function wellFormed<Field extends string>(field: Field): Rule<{ [name in Field]?: string }> {
  return {
    id: `${field.replaceAll('_', '-')}-well-formed`,
    says: `${field} is well-formed Unicode.`,
    field,
    source: 'ours',
    holds: body => body[field]?.isWellFormed() ?? true,
    explain: () => `${field} has half of a surrogate pair; it must be well-formed Unicode.`,
  }
}
