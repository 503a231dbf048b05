/** A prompt read as a page of reference pictures: what goes onto it, and what is done to the pictures before. */
import { studioArt } from '../subjects/drawable.ts'
import { readWhole } from './described-edits.ts'
import type { Edit } from './edit-types.ts'
import { splitCommands } from './instruction/clauses.ts'
import { createContext, meaningOf } from './instruction/common.ts'
import { type PageKind, readPage, withoutFiller } from './page-words.ts'

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
    const bare = withoutFiller(command)
    if (bare === '') continue
    const whole = readWhole([command], context)
    const { edits } = whole.notUnderstood.length === 0 ? whole : readWhole([bare], context)
    // Things that the words speak of are on no page but in the pictures.
    const isAllSaid = edits.length > 0 && meaningOf(bare, context).scene.subjects.length === 0
    const taken = edits.filter(edit => addTo(plan, edit))
    if (isAllSaid && taken.length === edits.length) continue
    const says = taken.length > 0 ? 'is followed only in part' : edits.length > 0 ? notOnPages : 'is not an instruction this engine knows'
    plan.notFollowed.push(`“${command}” ${says}.`)
  }
  return plan
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
