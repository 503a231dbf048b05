import { parseHex } from '../colour.ts'
import type { Edit } from '../language/edit-types.ts'
import { createRandom } from '../random.ts'
import { addVignette } from '../style/grade.ts'
import { drawLettering } from '../style/lettering.ts'
import { applyMoods, moodGrades } from '../style/moods.ts'
import { copyRaster, flatten, type Pixels } from '../style/pixels.ts'
import { applyStyle } from '../style/style.ts'
import { writableText } from '../style/writable.ts'
import { assertNever } from './assert-never.ts'
import { setSeason, setTime, setWeather } from './atmosphere.ts'
import { blurBackground, replaceBackground } from './background.ts'
import { addBorder } from './border.ts'
import { crop, cropRectangle, flip, rotate } from './geometry.ts'
import { addSubjects, boxOf, moveTarget, removeTarget, replaceTarget, resizeTarget } from './object-edits.ts'
import type { Painters } from './painters.ts'
import { recolourArea } from './recolour.ts'
import {
  blurWhole,
  brighten,
  changeContrast,
  changeSaturation,
  changeTemperature,
  invert,
  makeGrey,
  makeSepia,
  sharpen,
  tintWhole,
} from './tone.ts'
import { type EditedRaster, findMask, findPieces, type Outcome } from './work.ts'

/** An edit that was not applied. `reason` is a sentence for the user that gives the reason and
 *  suggests an alternative. */
export interface FailedEdit {
  edit: Edit
  reason: string
}

/** Returns the picture with the edits applied to its pixels, in order; the result is opaque, and
 *  the input is unchanged. An edit that cannot be done well (no clear subject, nothing that matches
 *  the words) changes nothing and is returned in `failed`. Equal input, edits and seed give equal
 *  bytes. */
export async function editImage(
  image: Pixels,
  edits: readonly Edit[],
  seed: string,
  painters: Painters,
): Promise<{ image: Pixels; failed: FailedEdit[] }> {
  let work: EditedRaster = { raster: flatten(image), seed }
  const failed: FailedEdit[] = []
  for (const [k, edit] of edits.entries()) {
    await painters.giveWay?.()
    const outcome = await carryOut({ ...work, seed: `${seed}/edit${k}` }, edit, painters)
    if ('reason' in outcome) failed.push({ edit, reason: outcome.reason })
    else work = { raster: outcome.raster, seed }
  }
  return { image: work.raster, failed }
}

async function carryOut(work: EditedRaster, edit: Edit, painters: Painters): Promise<Outcome> {
  switch (edit.kind) {
    case 'add':
      return await addSubjects(work, edit, painters)
    case 'remove':
      return removeTarget(work, edit.target)
    case 'replace':
      return edit.target.noun === 'background'
        ? { reason: 'The background can be replaced by a place: "replace the background with a beach".' }
        : await replaceTarget(work, edit, painters)
    case 'setting':
      return await replaceBackground(work, edit.setting, painters)
    case 'resize':
      return resizeTarget(work, edit.target, edit.factor)
    case 'move':
      return moveTarget(work, edit.target, edit.place)
    case 'count':
      return { reason: `How many "${edit.target.words}" there are can only be changed in pictures made here; add or remove one instead.` }
    case 'camera':
      return changeCamera(work, edit)
    case 'recolour':
      return recolour(work, edit)
    case 'text':
      return writeText(work, edit)
    case 'crop':
    case 'rotate':
    case 'flip':
      return reshape(work, edit)
    case 'time':
    case 'weather':
    case 'season':
    case 'style':
    case 'mood':
      return changeLook(work, edit)
    default:
      return changeTone(work, edit)
  }
}

type ToneEdit = Extract<
  Edit,
  {
    kind:
      | 'grey'
      | 'sepia'
      | 'invert'
      | 'blur'
      | 'sharpen'
      | 'brightness'
      | 'contrast'
      | 'saturation'
      | 'temperature'
      | 'border'
      | 'vignette'
  }
>

function changeTone(work: EditedRaster, edit: ToneEdit): Outcome {
  if (edit.kind === 'blur')
    return edit.area === 'background' ? blurBackground(work, edit.amount) : { raster: blurWhole(work.raster, edit.amount) }
  if (edit.kind === 'border') return { raster: addBorder(work.raster, edit) }
  const raster = copyRaster(work.raster)
  switch (edit.kind) {
    case 'grey':
      makeGrey(raster)
      break
    case 'sepia':
      makeSepia(raster)
      break
    case 'invert':
      invert(raster)
      break
    case 'sharpen':
      sharpen(raster, edit.amount)
      break
    case 'brightness':
      brighten(raster, edit.amount)
      break
    case 'contrast':
      changeContrast(raster, edit.amount)
      break
    case 'saturation':
      changeSaturation(raster, edit.amount)
      break
    case 'temperature':
      changeTemperature(raster, edit.amount)
      break
    case 'vignette':
      addVignette(raster, edit.amount * 1.6)
      break
    default:
      assertNever(edit)
  }
  return { raster }
}

function reshape(work: EditedRaster, edit: Extract<Edit, { kind: 'crop' | 'rotate' | 'flip' }>): Outcome {
  if (edit.kind === 'rotate') return { raster: rotate(work.raster, edit.degrees) }
  if (edit.kind === 'flip') return { raster: flip(work.raster, edit.axis) }
  if (edit.mode !== 'zoom' || !edit.on) return { raster: crop(work.raster, cropRectangle(work.raster, edit)) }
  const found = findMask(work, edit.on)
  if ('reason' in found) return found
  return { raster: crop(work.raster, cropRectangle(work.raster, edit, boxOf(found.pieces, found.mask))) }
}

function changeLook(work: EditedRaster, edit: Extract<Edit, { kind: 'time' | 'weather' | 'season' | 'style' | 'mood' }>): Outcome {
  const random = createRandom(work.seed)
  if (edit.kind === 'style') return { raster: flatten(applyStyle(work.raster, edit.style, { seed: work.seed })) }
  const raster = copyRaster(work.raster)
  if (edit.kind === 'time') setTime(raster, edit.time, random)
  if (edit.kind === 'season') setSeason(raster, edit.season, random)
  if (edit.kind === 'weather') {
    if (edit.weather.every(kind => kind === 'wind'))
      return { reason: 'Wind cannot be drawn into a picture that was not made here; rain, storm, snow, fog, clouds or a rainbow can.' }
    setWeather(raster, edit.weather, random)
  }
  if (edit.kind === 'mood') {
    if (!moodGrades[edit.mood]) return { reason: `The mood "${edit.mood}" is not known; ask for ${Object.keys(moodGrades).join(', ')}.` }
    applyMoods(raster, [edit.mood], random)
  }
  return { raster }
}

function changeCamera(work: EditedRaster, edit: Extract<Edit, { kind: 'camera' }>): Outcome {
  const { framing, angle, bokeh } = edit.camera
  if (bokeh) return blurBackground(work, 0.5)
  if (framing === 'close-up' || framing === 'medium') {
    const found = findPieces(work, { noun: 'it', words: 'the subject' })
    const around = 'pieces' in found ? found.pieces[0]!.box : undefined
    return {
      raster: crop(
        work.raster,
        cropRectangle(work.raster, { kind: 'crop', mode: 'zoom', share: framing === 'close-up' ? 0.5 : 0.75 }, around),
      ),
    }
  }
  if (angle)
    return { reason: 'The viewpoint of a picture that was not made here cannot be changed; it can be cropped, turned or mirrored.' }
  return { reason: 'What lies outside a picture that was not made here cannot be shown; it can be cropped closer.' }
}

/** True for a grey colour. Slightly coloured ones count as grey, because the greys of the named
 *  colours are slightly blue. */
function isGrey({ r, g, b }: { r: number; g: number; b: number }): boolean {
  const most = Math.max(r, g, b)
  return most - Math.min(r, g, b) < most * 0.18
}

function recolour(work: EditedRaster, edit: Extract<Edit, { kind: 'recolour' }>): Outcome {
  const colour = parseHex(edit.colour.hex)
  const raster = copyRaster(work.raster)
  if (!edit.target) {
    if (isGrey(colour)) makeGrey(raster)
    else tintWhole(raster, colour)
    return { raster }
  }
  const found = findMask(work, edit.target)
  if ('reason' in found) return found
  const changed = recolourArea(raster, found.mask, colour)
  if (changed < 0.04) return { reason: `"${edit.target.words}" has no main colour that could be changed to ${edit.colour.name}.` }
  return { raster }
}

function writeText(work: EditedRaster, edit: Extract<Edit, { kind: 'text' }>): Outcome {
  if (edit.lettering.text.trim() === '') return { reason: 'The text to write is empty; put it in quotation marks.' }
  const { text, reason = '' } = writableText(edit.lettering.text)
  if (text === undefined) return { reason }
  const lettering = { ...edit.lettering, text }
  if (!edit.on) return { raster: drawLettering(work.raster, lettering) }
  const found = findMask(work, edit.on)
  if ('reason' in found) return found
  const box = boxOf(found.pieces, found.mask)
  const within = { x: box.x + box.width * 0.14, y: box.y + box.height * 0.3, width: box.width * 0.72, height: box.height * 0.45 }
  return { raster: drawLettering(work.raster, lettering, within) }
}
