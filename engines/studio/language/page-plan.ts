/** Reads a prompt about a page of reference pictures. Finds the layout of the page, its texts, and
 *  the edits that are applied to each picture before it is placed on the page. */
import { studioArt } from '../subjects/drawable.ts'
import { readWhole } from './described-edits.ts'
import type { Edit } from './edit-types.ts'
import { splitCommands } from './instruction/clauses.ts'
import { createContext, type InstructionContext, meaningOf } from './instruction/common.ts'
import { type PageKind, readPage, withoutEnds, withoutFiller } from './page-words.ts'

export interface PagePlan {
  /** Kind of page; absent when the words name none. */
  kind?: PageKind
  texts: string[]
  /** Background colour of the page, `#rrggbb`. */
  ground?: string
  /** Edits that are applied to each picture. */
  edits: Edit[]
  /** One sentence for each part of the prompt that has no effect on the page. */
  notFollowed: string[]
}

/** Edits that apply to a picture as a whole, whatever it shows. */
const ofWholePictures: ReadonlySet<Edit['kind']> = new Set([
  ...(['grey', 'sepia', 'invert', 'blur', 'sharpen', 'flip', 'brightness', 'contrast', 'saturation', 'temperature', 'vignette'] as const),
  ...(['time', 'weather', 'season', 'style', 'mood'] as const),
])

/** Returns the plan of a page for any prompt. Never throws. */
export function planPage(prompt: string): PagePlan {
  const { kind, texts, rest } = readPage(prompt)
  const context = createContext(studioArt(), [])
  const plan: PagePlan = { ...(kind ? { kind } : {}), texts, edits: [], notFollowed: [] }
  for (const command of splitCommands(rest)) {
    // When no rule understands a command as a whole, such as "of everything, happier", its parts
    // between commas are read one by one.
    const parts = command.split(/[,，;；]\s*/u)
    const isWhole = parts.length === 1 || parts.length > mostParts || isAllSaid(command, context)
    for (const part of isWhole ? [command] : parts) follow(part, plan, context)
  }
  return plan
}

/** Largest number of parts of a command that are read one by one. */
const mostParts = 8

function follow(command: string, plan: PagePlan, context: InstructionContext): void {
  if (withoutFiller(command) === '') return
  const edits = editsOf(command, context)
  const taken = edits.filter(edit => addTo(plan, edit))
  if (isAllSaid(command, context) && taken.length === edits.length) return
  const says = taken.length > 0 ? 'is followed only in part' : edits.length > 0 ? notOnPages : 'is not an instruction this engine knows'
  plan.notFollowed.push(`“${withoutEnds(command)}” ${says}.`)
}

function editsOf(command: string, context: InstructionContext): Edit[] {
  const whole = readWhole([command], context)
  return whole.notUnderstood.length === 0 ? whole.edits : readWhole([withoutFiller(command)], context).edits
}

/** True when the command is an edit that names no things. A command about things would have to
 *  change the contents of a single picture, which is not possible on a page. */
function isAllSaid(command: string, context: InstructionContext): boolean {
  return editsOf(command, context).length > 0 && meaningOf(withoutFiller(command), context).scene.subjects.length === 0
}

/** True when the words contain something that affects a page. */
export function isPageSaid({ kind, texts, ground, edits }: PagePlan): boolean {
  return kind !== undefined || texts.length > 0 || ground !== undefined || edits.length > 0
}

const notOnPages = 'cannot be done on a page of reference pictures'

/** Adds an edit to the plan; returns false for an edit that does not apply to pages. */
function addTo(plan: PagePlan, edit: Edit): boolean {
  const colour = edit.kind === 'setting' && edit.setting.kind === 'backdrop' ? edit.setting.colour : undefined
  if (colour) plan.ground = colour.hex
  else if (edit.kind === 'text') plan.texts.push(edit.lettering.text)
  else if (edit.kind === 'border') plan.ground = edit.colour.hex
  else if (ofWholePictures.has(edit.kind) || (edit.kind === 'recolour' && !edit.target)) plan.edits.push(edit)
  else return false
  return true
}
