/** Interprets the prompt of an edit that is limited to a region. */
import { renameNew } from '../edit/scene-edits.ts'
import type { Edit, Target } from '../language/edit-types.ts'
import { parseInstruction } from '../language/instruction.ts'
import { parsePrompt } from '../language/parse.ts'
import type { Lettering, Scene } from '../scene.ts'

export interface RegionRequest {
  /** True when all existing things in the region are to be removed. */
  clears: boolean
  /** Things to remove from the region; all other things stay. */
  removes: Target[]
  /** A scene with the subjects to draw in the region; absent when there are none. */
  things?: Scene
  /** Other edits of the existing things or of the region as a whole. */
  edits: Edit[]
  notUnderstood: string[]
}

interface RequestReading {
  seed: string
  negativePrompt?: string | undefined
}

/** Interprets the prompt as a description of the new contents ("a red balloon"), as an instruction
 *  ("make it blue"), or as a request to clear the region ("remove", or an empty prompt). */
export function readRegionRequest(prompt: string, reading: RequestReading): RegionRequest {
  const text = prompt.trim()
  const nothing: RegionRequest = { clears: false, removes: [], edits: [], notUnderstood: [] }
  if (isRemoval(text)) return { ...nothing, clears: true }
  const { edits, notUnderstood } = parseInstruction(text)
  const description = text.replace(command, '')
  const described = parsePrompt(description, { ...readingOf(reading), isFragment: true, framing: 'full' })
  // "A sign that says OPEN" asks for a sign to be drawn, not only for the word.
  const isOnThing = described.letterings.some(({ on }) => on !== undefined) && edits.every(({ kind }) => kind === 'text')
  if (edits.length > 0 && !isOnThing) return { ...wishOfEdits(edits, text, reading), notUnderstood }
  const written = described.letterings.filter(({ on }) => on === undefined).map(textEdit)
  const { notDrawn, subjects, setting } = described
  if (subjects.length > 0) return { clears: true, removes: [], things: described, edits: written, notUnderstood: notDrawn }
  if (setting.words !== '') return { ...nothing, edits: [{ kind: 'setting', setting }, ...written], notUnderstood: notDrawn }
  if (written.length > 0) return { ...nothing, clears: true, edits: written, notUnderstood: notDrawn }
  const made = parseInstruction(`make it ${description}`)
  return made.edits.length > 0 ? { ...nothing, edits: made.edits } : { ...nothing, notUnderstood: [text] }
}

const filler =
  '(?: (?:it|this|that|these|them|everything|anything|all|here|there|the|object|objects|thing|things|area|region|selection|part|content))'
const removal = new RegExp(
  `^(?:please )?(?:remove|delete|erase|clear|empty|nothing|none|blank|fill|take away|get rid of)(?: (?:in|out|up|of))?${filler}{0,6}[.!]?$`,
  'i',
)
const removalChinese =
  /^(?:请)?(?:把)?(?:它|这个|这些|这里)?(?:移除|去掉|去除|删除|删掉|擦除|擦掉|清除|清空|抹去|什么都没有|什么也没有|空白|无|空)(?:它们|它|这个|这些|这里|一切|所有|全部|物体|东西|内容){0,3}[。！!.]?$/
const command =
  /^(?:please )?(?:(?:replace|swap|change|turn|transform)(?: (?:it|this|that|these|them|everything|all))?(?: (?:with|into|to|by|for))?|put|place|draw|paint|show|make)(?: here)? |^(?:请)?(?:把(?:它|这个|这些|这里))?(?:替换成|替换为|换成|换为|改成|变成|画上|画)/i

function isRemoval(text: string): boolean {
  if (text === '') return true
  // A request to clear the region is short. Longer texts are not tested, because the expressions
  // would take long on them.
  if (text.length > 120) return false
  const words = text.replace(/\s+/g, ' ')
  return removal.test(words) || removalChinese.test(words)
}

function wishOfEdits(all: readonly Edit[], text: string, reading: RequestReading): RegionRequest {
  const wish: RegionRequest = { clears: false, removes: [], edits: [], notUnderstood: [] }
  for (const edit of all) {
    if (edit.kind === 'add') wish.things = joined(wish.things, edit.subjects, text, reading)
    else if (edit.kind === 'replace') {
      wish.clears = true
      wish.things = joined(wish.things, edit.subjects, text, reading)
    } else if (edit.kind === 'remove' && edit.target.noun !== 'it') wish.removes.push(edit.target)
    else if (edit.kind === 'remove') wish.clears = true
    else wish.edits.push(edit)
  }
  return wish
}

function joined(scene: Scene | undefined, subjects: Scene['subjects'], text: string, reading: RequestReading): Scene {
  const empty = scene ?? { ...parsePrompt('', readingOf(reading)), prompt: text }
  return { ...empty, subjects: [...empty.subjects, ...renameNew(empty, subjects)] }
}

function readingOf({ seed, negativePrompt }: RequestReading): { seed: string; negativePrompt?: string } {
  return { seed, ...(negativePrompt ? { negativePrompt } : {}) }
}

function textEdit({ on: _, ...lettering }: Lettering): Edit {
  return { kind: 'text', lettering }
}
