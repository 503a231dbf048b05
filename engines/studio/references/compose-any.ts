/** Combines the reference pictures of a request into one picture. When the prompt asks for it and
 *  it is possible, the things of the pictures are drawn in one scene; otherwise the pictures are
 *  arranged on a page. */
import type { ImageEditRequest } from '@generation-gateway/kit/requests/image.ts'
import { editImage } from '../edit/pixel-edits.ts'
import type { Edit, Instruction } from '../language/edit-types.ts'
import { splitCommands, squeezed } from '../language/instruction/clauses.ts'
import { isPageSaid, type PagePlan, planPage } from '../language/page-plan.ts'
import { beyondCombining, isCombining, readReferences } from '../language/references.ts'
import { drawPage } from '../pages/page.ts'
import { type EditedPicture, sizeOf } from '../picture-edit.ts'
import { writableText } from '../style/writable.ts'
import { type CompositionRequest, composePictures, type Source } from './compose.ts'

/** Returns the combined picture, with a sentence for every part of the prompt that was not
 *  followed. Every prompt gives a picture: when no part is followed, the pictures are arranged on a
 *  page. */
export async function composeAny(sources: readonly Source[], composing: CompositionRequest): Promise<EditedPicture> {
  const { prompt } = composing.request
  const plan = planPage(prompt)
  const isNamed = readReferences(prompt, sources.length) !== undefined
  if (sources.length > 1 && (isNamed || isOneScene(plan, prompt, sources))) {
    const { isFollowed, ...made } = await composePictures(sources, composing)
    // When the prompt names some of the pictures, it clearly asks for one scene, so the result is
    // used and failures are reported. Otherwise the result is used only if nothing failed.
    if (isFollowed && (isNamed || made.failed.length === 0))
      return { ...made, failed: [...made.failed, ...(isNamed ? [] : lostIn(prompt))] }
    return composePage(sources, { ...plan, notFollowed: isNamed ? made.failed : plan.notFollowed }, composing)
  }
  return composePage(sources, plan, composing)
}

function isOneScene({ kind }: PagePlan, prompt: string, sources: readonly Source[]): boolean {
  if (kind) return false
  if (sources.every(({ scene }) => scene)) return true
  // Pictures that this engine did not draw have no scene, so their subjects would be cut out of the
  // pixels, which is not precise. Such pictures are combined only on a command that asks for
  // nothing else ("blend them").
  return combiningIn(prompt).some(command => beyondCombining(command) === '')
}

function combiningIn(prompt: string): string[] {
  return splitCommands(squeezed(prompt)).filter(isCombining)
}

function lostIn(prompt: string): string[] {
  const lost = combiningIn(prompt).filter(command => beyondCombining(command) !== '')
  return lost.map(command => `“${command}” is followed only in part.`)
}

/** True when a single picture is to be put on a page instead of being edited. This is so when
 *  the prompt names a kind of page (such as a poster) and no edit of single things. It is also
 *  so when the prompt contains no edit at all, and either says something that affects a page or
 *  comes with `references`. */
export function isForPage({ edits }: Instruction, { prompt, references, series }: ImageEditRequest): boolean {
  const plan = planPage(prompt)
  if (plan.kind && !edits.some(({ kind }) => ofThings.has(kind))) return true
  if (edits.length > 0) return false
  // In a series, words that are not a command for a page describe the pictures of the series, so
  // these words do not turn the series into a page.
  return isPageSaid(plan) || (references === true && (!series || plan.notFollowed.length === 0))
}

const ofThings: ReadonlySet<Edit['kind']> = new Set(['add', 'remove', 'replace', 'move', 'resize', 'count'])

/** Arranges all pictures on one page. */
export async function composePage(
  sources: readonly Source[],
  { kind, texts, ground, edits, notFollowed }: PagePlan,
  { request, painters, variant }: CompositionRequest,
): Promise<EditedPicture> {
  const [first] = sources
  const failed = new Set(notFollowed)
  const written = texts.map(writableText)
  for (const { reason } of written) if (reason) failed.add(reason)
  const pixels = await drawPage({
    pictures: sources.map(source => source.pixels),
    size: sizeOf(request, first?.pixels ?? { width: 1024, height: 1024 }),
    ...(kind ? { kind } : {}),
    ...(ground === undefined ? {} : { ground }),
    texts: written.flatMap(({ text }) => text ?? []),
    choice: variant,
    retouch: async picture => {
      await painters.giveWay?.()
      const made = await editImage(picture, edits, request.seed, painters)
      for (const { reason } of made.failed) failed.add(reason)
      return made.image
    },
  })
  return { pixels, failed: [...failed] }
}
