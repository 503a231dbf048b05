import { studioArt } from '../subjects/drawable.ts'
import type { Edit, Instruction } from './edit-types.ts'
import { chineseCommand } from './instruction/chinese.ts'
import { splitCommands, squeezed } from './instruction/clauses.ts'
import { createContext, type InstructionContext } from './instruction/common.ts'
import { englishCommand } from './instruction/english.ts'

/** Limits of an instruction: number of commands, characters of all commands, and characters of one.
 *  Rules may read a command several times, and each edit processes the whole picture. Text beyond
 *  the limits is reported as not understood (docs/decisions/0012). */
const most = { commands: 12, characters: 2000, commandCharacters: 500 }

// The length of quotes is limited, so that a text of many opening quotes does not take quadratic
// time.
const quoted =
  /"([^"\n]+)"|“([^”\n]{1,200})”|「([^」\n]{1,200})」|『([^』\n]{1,200})』|《([^》\n]{1,200})》|(?<![\p{L}\p{N}])'([^'\n]+)'(?![\p{L}\p{N}])|‘([^’\n]{1,200})’/gu

/** Returns the edits of an English or Chinese instruction, in order; a sentence may contain several
 *  commands. Commands that no rule matches are returned in `notUnderstood`, with white space
 *  shortened. Never throws. */
export function parseInstruction(text: string): Instruction {
  const quotes: string[] = []
  const masked = text.replace(quoted, (_, ...found: unknown[]) => {
    quotes.push(found.find((part): part is string => typeof part === 'string' && part !== '') ?? '')
    return `⟦${quotes.length - 1}⟧`
  })
  const context = createContext(studioArt(), quotes)
  const edits: Edit[] = []
  const notUnderstood: string[] = []
  let characters = 0
  for (const [index, command] of splitCommands(squeezed(masked)).entries()) {
    characters += command.length
    const isRead = index < most.commands && characters <= most.characters && command.length <= most.commandCharacters
    const made = isRead ? readCommand(command, context) : undefined
    if (made) joinEdits(edits, made)
    else notUnderstood.push(unmasked(command, quotes))
  }
  return { edits, notUnderstood }
}

function unmasked(command: string, quotes: readonly string[]): string {
  return command.replace(/⟦(\d+)⟧/g, (_, index: string) => `"${quotes[Number(index)] ?? ''}"`)
}

function readCommand(command: string, context: InstructionContext): Edit[] | undefined {
  const isChinese = /\p{Script=Han}/u.test(command)
  return isChinese ? (chineseCommand(command, context) ?? englishCommand(command, context)) : englishCommand(command, context)
}

/** For "add a cat and place it on the left": gives the place to the added subject. */
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
