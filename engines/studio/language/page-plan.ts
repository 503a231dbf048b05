/** A prompt read as a page of reference pictures: what goes onto it, and what is done to the
 *  pictures before. */
import { studioArt } from '../subjects/drawable.ts'
import { readWhole } from './described-edits.ts'
import type { Edit } from './edit-types.ts'
import { splitCommands } from './instruction/clauses.ts'
import { createContext, type InstructionContext, meaningOf } from './instruction/common.ts'
import { type PageKind, readPage, withoutEnds, withoutFiller } from './page-words.ts'

export interface PagePlan {
  /** Absent: the words name no kind of page. */
  kind?: PageKind
  texts: string[]
  /** Colour of what the pictures lie on, `#rrggbb`. */
  ground?: string
  /** Done to each picture. */
  edits: Edit[]
  /** Sentences about words that the page does not follow. */
  notFollowed: string[]
}

/** Edits that a picture takes as a whole, whatever it shows. */
const ofWholePictures: ReadonlySet<Edit['kind']> = new Set([
  ...(['grey', 'sepia', 'invert', 'blur', 'sharpen', 'flip', 'brightness', 'contrast', 'saturation', 'temperature', 'vignette'] as const),
  ...(['time', 'weather', 'season', 'style', 'mood'] as const),
])

/** Never throws for any text. */
export function planPage(prompt: string): PagePlan {
  const { kind, texts, rest } = readPage(prompt)
  const context = createContext(studioArt(), [])
  const plan: PagePlan = { ...(kind ? { kind } : {}), texts, edits: [], notFollowed: [] }
  for (const command of splitCommands(rest)) {
    // Where the whole says nothing, its parts may: "of everything, happier".
    const parts = command.split(/[,，;；]\s*/u)
    const isWhole = parts.length === 1 || parts.length > mostParts || isAllSaid(command, context)
    for (const part of isWhole ? [command] : parts) follow(part, plan, context)
  }
  return plan
}

/** Parts of a command that are read by themselves. */
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

/** Things that the words speak of are on no page but in the pictures. */
function isAllSaid(command: string, context: InstructionContext): boolean {
  return editsOf(command, context).length > 0 && meaningOf(withoutFiller(command), context).scene.subjects.length === 0
}

/** True when the words say anything at all that a page can follow. */
export function isPageSaid({ kind, texts, ground, edits }: PagePlan): boolean {
  return kind !== undefined || texts.length > 0 || ground !== undefined || edits.length > 0
}

const notOnPages = 'cannot be done on a page of reference pictures'

/** False for what no page takes. */
function addTo(plan: PagePlan, edit: Edit): boolean {
  const colour = edit.kind === 'setting' && edit.setting.kind === 'backdrop' ? edit.setting.colour : undefined
  if (colour) plan.ground = colour.hex
  else if (edit.kind === 'text') plan.texts.push(edit.lettering.text)
  else if (edit.kind === 'border') plan.ground = edit.colour.hex
  else if (ofWholePictures.has(edit.kind) || (edit.kind === 'recolour' && !edit.target)) plan.edits.push(edit)
  else return false
  return true
}
