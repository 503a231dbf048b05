import type { Edit } from './edit-types.ts'
import { type InstructionContext, meaningOf, settingEdit, wholeEdits } from './instruction/common.ts'
import { parseInstruction } from './instruction.ts'

interface DescribedEdits {
  edits: Edit[]
  /** Words that led to no edit, as written. */
  notUnderstood: string[]
}

/** Returns the edits of the commands. A command that no rule understands is perhaps a description
 *  ("..., on a beach at night"). A description changes the place and other properties of the whole
 *  picture, such as time, weather and style. */
export function readWhole(commands: readonly string[], context: InstructionContext): DescribedEdits {
  const { edits, notUnderstood } = parseInstruction(commands.join('\n'))
  const unknown: string[] = []
  for (const words of notUnderstood) {
    const meaning = meaningOf(words, context)
    const place = meaning.scene.setting.words === '' ? undefined : settingEdit(meaning)
    const said = [...(place ? [place] : []), ...wholeEdits(meaning)]
    if (said.length > 0) edits.push(...said)
    else unknown.push(words)
  }
  return { edits, notUnderstood: unknown }
}
