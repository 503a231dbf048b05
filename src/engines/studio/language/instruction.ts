import type { ArtCatalogue } from '../art/entry.ts'
import { studioArt } from '../subjects/drawable.ts'
import type { Edit, Instruction } from './edit-types.ts'
import { chineseCommand } from './instruction/chinese.ts'
import { splitCommands } from './instruction/clauses.ts'
import { createContext, type InstructionContext } from './instruction/common.ts'
import { englishCommand } from './instruction/english.ts'

/** The edits that an instruction asks for, in the order said, English or Chinese; several commands in one sentence are fine.
 *  Commands outside the grammar stand in `notUnderstood` as written. Never throws for any text. */
export function parseInstruction(text: string, options: { art?: ArtCatalogue } = {}): Instruction {
  const quotes: string[] = []
  const masked = text.replace(
    /"([^"\n]+)"|“([^”\n]+)”|「([^」\n]+)」|『([^』\n]+)』|《([^》\n]+)》|(?<![\p{L}\p{N}])'([^'\n]+)'(?![\p{L}\p{N}])|‘([^’\n]+)’/gu,
    (_, ...found: unknown[]) => {
      quotes.push(found.find((part): part is string => typeof part === 'string' && part !== '') ?? '')
      return `⟦${quotes.length - 1}⟧`
    },
  )
  const context = createContext(options.art ?? studioArt(), quotes)
  const edits: Edit[] = []
  const notUnderstood: string[] = []
  for (const command of splitCommands(masked)) {
    const made = readCommand(command, context)
    if (made) joinEdits(edits, made)
    else notUnderstood.push(command.replace(/⟦(\d+)⟧/g, (_, index: string) => `"${quotes[Number(index)] ?? ''}"`))
  }
  return { edits, notUnderstood }
}

function readCommand(command: string, context: InstructionContext): Edit[] | undefined {
  const isChinese = /\p{Script=Han}/u.test(command)
  return isChinese ? (chineseCommand(command, context) ?? englishCommand(command, context)) : englishCommand(command, context)
}

/** "add a cat and place it on the left": the place belongs to what was just added. */
function joinEdits(edits: Edit[], made: Edit[]): void {
  const last = edits.at(-1)
  const first = made[0]
  if (last?.kind === 'add' && first?.kind === 'move' && first.target.noun === 'it') {
    edits[edits.length - 1] = { ...last, place: first.place }
    edits.push(...made.slice(1))
    return
  }
  edits.push(...made)
}
