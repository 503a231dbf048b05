import { studioArt } from '../subjects/drawable.ts'
import type { Edit, Instruction } from './edit-types.ts'
import { chineseCommand } from './instruction/chinese.ts'
import { splitCommands, squeezed } from './instruction/clauses.ts'
import { createContext, type InstructionContext } from './instruction/common.ts'
import { englishCommand } from './instruction/english.ts'

/** Limits of an instruction: the number of commands, the characters of all commands, and the
 *  characters of one command. The limits bound the work, because several rules read each command
 *  and each edit processes the whole picture. Text beyond the limits is reported as not understood
 *  (docs/decisions/0012). */
const most = { commands: 12, characters: 2000, commandCharacters: 500 }

// A quote between two different quotation marks has at most 200 characters. Without this limit, a
// text with many opening marks would take quadratic time.
const quoted =
  /"([^"\n]+)"|“([^”\n]{1,200})”|「([^」\n]{1,200})」|『([^』\n]{1,200})』|《([^》\n]{1,200})》|(?<![\p{L}\p{N}])'([^'\n]+)'(?![\p{L}\p{N}])|‘([^’\n]{1,200})’/gu

/** Returns the edits of an English or Chinese instruction, in order. A sentence may contain
 *  several commands. `notUnderstood` lists the commands that no rule matches or that exceed the
 *  limits, with white space shortened. Never throws. */
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

/** Adds the edits of one command to the list. In "add a cat and place it on the left", the second
 *  command only gives a place to the added cat, so the two become one edit. */
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
