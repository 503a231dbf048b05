import type { Edit, Target } from '../language/edit-types.ts'
import type { Relation, RelationKind, Scene, SizeWord, Subject, Weather } from '../scene.ts'
import { writableText } from '../style/writable.ts'
import { unpinned } from '../subjects/pins.ts'
import type { FailedEdit } from './pixel-edits.ts'
import { recolourScene } from './scene-colours.ts'
import { findSubjects, subjectNotFound } from './scene-targets.ts'

/** The result of applying edits to a picture whose scene is known. */
interface SceneEdits {
  /** The changed copy of the scene. The copy has the same seed, so that what was not edited changes
   *  as little as possible. */
  scene: Scene
  /** Edits that a scene cannot express (crop, tone), in order; the caller applies them to the
   *  drawing. */
  pixelEdits: Edit[]
  failed: FailedEdit[]
}

/** Applies edits to the scene of a picture. Edits of things change the scene graph, which is
 *  then drawn again. Edits that concern only pixels (crop, rotation, tone, border) are returned
 *  in `pixelEdits`. An edit that is impossible, for example because the scene does not contain
 *  the thing, is returned in `failed`. */
export function editScene(scene: Scene, edits: readonly Edit[]): SceneEdits {
  let current = structuredClone(scene)
  const pixelEdits: Edit[] = []
  const failed: FailedEdit[] = []
  for (const edit of edits) {
    const outcome = changeScene(keepsPlaces.has(edit.kind) ? current : unpinned(current), edit)
    if (outcome === 'pixels') pixelEdits.push(edit)
    else if (typeof outcome === 'string') failed.push({ edit, reason: outcome })
    else current = outcome
  }
  return { scene: current, pixelEdits, failed }
}

/** Edits that do not move any subject. After these, the positions stored in `pins` are still valid;
 *  after all others, they are removed. */
const keepsPlaces: ReadonlySet<Edit['kind']> = new Set(['time', 'season', 'weather', 'style', 'mood', 'recolour', 'text'])

/** The result of one edit: the new scene, or `pixels` for an edit that the caller must apply to the
 *  drawing, or a sentence for the user with the reason why the edit is impossible. */
type SceneOutcome = Scene | 'pixels' | string

function changeScene(scene: Scene, edit: Edit): SceneOutcome {
  switch (edit.kind) {
    case 'add':
      return addToScene(scene, edit)
    case 'remove':
      return removeFromScene(scene, edit.target)
    case 'replace':
      return replaceInScene(scene, edit)
    case 'recolour':
      return recolourScene(scene, edit)
    case 'text':
      return addLettering(scene, edit)
    case 'resize':
      return mapSubjects(scene, edit.target, subject => resized(subject, edit.factor))
    case 'move':
      return mapSubjects(scene, edit.target, subject => ({
        ...subject,
        place: edit.place,
        relations: subject.relations.filter(isNotPlacing),
      }))
    case 'count':
      return setCount(scene, edit.target, edit.count)
    case 'blur':
      return edit.area === 'background' ? { ...scene, camera: { ...scene.camera, bokeh: true } } : 'pixels'
    case 'crop':
      return edit.mode === 'zoom' && edit.on ? zoomOn(scene, edit.on) : 'pixels'
    default:
      return changeWhole(scene, edit)
  }
}

function changeWhole(scene: Scene, edit: Edit): SceneOutcome {
  switch (edit.kind) {
    case 'setting':
      return { ...scene, setting: edit.setting }
    case 'time':
      return { ...scene, time: edit.time }
    case 'season':
      return { ...scene, season: edit.season }
    case 'weather':
      return { ...scene, weather: edit.weather }
    case 'style':
      return { ...scene, style: edit.style }
    case 'mood':
      return { ...scene, moods: [...scene.moods.filter(mood => mood !== edit.mood && mood !== opposites[edit.mood]), edit.mood] }
    case 'camera':
      return { ...scene, camera: { ...scene.camera, ...edit.camera } }
    default:
      return 'pixels'
  }
}

const opposites: Readonly<Record<string, string>> = {
  dark: 'bright',
  bright: 'dark',
  warm: 'cold',
  cold: 'warm',
  vivid: 'muted',
  muted: 'vivid',
}

function addToScene(scene: Scene, edit: Extract<Edit, { kind: 'add' }>): SceneOutcome {
  const anchors = edit.anchor ? findSubjects(scene, edit.anchor.target) : []
  const anchorIsPlace = edit.anchor !== undefined && ['background', 'sky'].includes(edit.anchor.target.noun)
  if (edit.anchor && anchors.length === 0 && !anchorIsPlace) return subjectNotFound(scene, edit.anchor.target)
  const renamed = renameNew(scene, edit.subjects)
  const first = renamed[0]
  if (!first) return 'What should be added was not understood; name a thing, for example "add a red balloon".'
  const anchor = anchors[0]
  const relation = edit.anchor?.relation
  const isWorn = relation === 'wearing' || relation === 'holding' || relation === 'carrying'
  if (anchor && relation && !isWorn) first.relations = [...first.relations, { kind: relation, of: anchor.id }]
  // In the scene graph, the relation of a worn or held thing is stored at the person, not at the
  // thing.
  const subjects = isWorn
    ? scene.subjects.map(subject =>
        subject === anchor ? { ...subject, relations: [...subject.relations, { kind: relation, of: first.id }] } : subject,
      )
    : scene.subjects
  if (edit.place) for (const subject of renamed) if (!subject.relations.some(isPlacing)) subject.place = edit.place
  return { ...scene, subjects: [...subjects, ...renamed] }
}

/** Gives new subjects ids that are unused in the scene, and updates the relations among them. */
export function renameNew(scene: Scene, subjects: readonly Subject[]): Subject[] {
  const highest = Math.max(0, ...scene.subjects.map(subject => Number.parseInt(subject.id.slice(1), 10) || 0))
  const names = new Map(subjects.map((subject, k) => [subject.id, `s${highest + 1 + k}`]))
  return subjects.map(subject => ({
    ...structuredClone(subject),
    id: names.get(subject.id) ?? subject.id,
    relations: subject.relations.map(relation => ({
      ...relation,
      of: names.get(relation.of) ?? relation.of,
      ...(relation.and === undefined ? {} : { and: names.get(relation.and) ?? relation.and }),
    })),
  }))
}

const weatherWords: Readonly<Record<string, Weather[]>> = {
  rain: ['rain', 'storm'],
  snow: ['snow'],
  fog: ['fog'],
  mist: ['fog'],
  storm: ['storm', 'lightning'],
  lightning: ['lightning'],
  cloud: ['cloudy', 'overcast'],
  rainbow: ['rainbow'],
  aurora: ['aurora'],
  wind: ['wind'],
}

function removeFromScene(scene: Scene, target: Target): SceneOutcome {
  if (target.noun === 'text') return scene.letterings.length > 0 ? { ...scene, letterings: [] } : 'There is no text in this picture.'
  const found = findSubjects(scene, target)
  const single = found[0]
  if (!single) return removeWeather(scene, target)
  // When a subject has a count of three, "remove a dog" reduces the count to two.
  if (single.count > 1 && !target.all && target.noun !== 'it' && /^(a|an|one|一)\b|^一/i.test(target.words)) {
    return { ...scene, subjects: scene.subjects.map(subject => (subject === single ? { ...subject, count: subject.count - 1 } : subject)) }
  }
  return withoutSubjects(scene, new Set(found.map(subject => subject.id)))
}

function removeWeather(scene: Scene, target: Target): SceneOutcome {
  const kinds = weatherWords[target.noun]
  if (!kinds?.some(kind => scene.weather.includes(kind))) return subjectNotFound(scene, target)
  const weather = scene.weather.filter(kind => !kinds.includes(kind))
  return { ...scene, weather: weather.length > 0 ? weather : ['clear'] }
}

function withoutSubjects(scene: Scene, gone: ReadonlySet<string>): Scene {
  return {
    ...scene,
    subjects: scene.subjects
      .filter(subject => !gone.has(subject.id))
      .map(subject => ({
        ...subject,
        relations: subject.relations.filter(relation => !gone.has(relation.of) && !(relation.and && gone.has(relation.and))),
      })),
    letterings: scene.letterings.filter(lettering => !(lettering.on && gone.has(lettering.on))),
  }
}

/** Replaces a subject by another one, which gets the id of the old one, and its position, pose and
 *  relations unless the new one has its own. */
function replaceInScene(scene: Scene, edit: Extract<Edit, { kind: 'replace' }>): SceneOutcome {
  const [old, ...others] = findSubjects(scene, edit.target)
  if (!old)
    return edit.target.noun === 'background'
      ? 'The background can be replaced by a place: "replace the background with a beach".'
      : subjectNotFound(scene, edit.target)
  const [first, ...rest] = renameNew(scene, edit.subjects)
  if (!first) return `What should stand in place of "${edit.target.words}" was not understood.`
  const heir: Subject = {
    ...first,
    id: old.id,
    count: first.count === 1 && edit.target.all ? old.count : first.count,
    relations: first.relations.length > 0 ? first.relations : old.relations,
    isBackground: old.isBackground,
    ...(first.place ? {} : old.place ? { place: old.place } : {}),
    ...(first.pose ? {} : old.pose ? { pose: old.pose } : {}),
  }
  const remaining = withoutSubjects(scene, new Set(others.map(subject => subject.id)))
  return { ...remaining, subjects: [...remaining.subjects.map(subject => (subject.id === old.id ? heir : subject)), ...rest] }
}

function addLettering(scene: Scene, edit: Extract<Edit, { kind: 'text' }>): SceneOutcome {
  if (edit.lettering.text.trim() === '') return 'The text to write is empty; put it in quotation marks.'
  const { text, reason = '' } = writableText(edit.lettering.text)
  if (text === undefined) return reason
  const lettering = { ...edit.lettering, text }
  if (!edit.on) return { ...scene, letterings: [...scene.letterings, lettering] }
  const carrier = findSubjects(scene, edit.on)[0]
  if (!carrier) return subjectNotFound(scene, edit.on)
  return { ...scene, letterings: [...scene.letterings, { ...lettering, on: carrier.id }] }
}

const sizeWords: readonly SizeWord[] = ['tiny', 'small', 'normal', 'large', 'huge']

/** Returns the subject with its size class changed by one step for each factor of about 1.45.
 *  Returns a sentence for the user when it already has the largest or smallest class. */
function resized(subject: Subject, factor: number): Subject | string {
  const steps = Math.round(Math.log(factor) / Math.log(1.45)) || Math.sign(factor - 1)
  const now = sizeWords.indexOf(subject.size)
  const wanted = Math.min(4, Math.max(0, now + steps))
  if (wanted === now)
    return `"${subject.words || subject.noun}" is already ${subject.size}; it cannot be made ${factor > 1 ? 'larger' : 'smaller'}.`
  return { ...subject, size: sizeWords[wanted] ?? subject.size }
}

function setCount(scene: Scene, target: Target, count: number): SceneOutcome {
  if (!Number.isInteger(count) || count < 0 || count > 60) return `A picture can hold 0 to 60 of one thing; ${count} were asked for.`
  if (count === 0) return removeFromScene(scene, { ...target, all: true })
  return mapSubjects(scene, target, subject => ({ ...subject, count }))
}

function zoomOn(scene: Scene, target: Target): SceneOutcome {
  return findSubjects(scene, target).length > 0 ? { ...scene, camera: { ...scene.camera, framing: 'close-up' } } : 'pixels'
}

function mapSubjects(scene: Scene, target: Target, change: (subject: Subject) => Subject | string): SceneOutcome {
  const found = new Set(findSubjects(scene, target))
  if (found.size === 0) return subjectNotFound(scene, target)
  const subjects: Subject[] = []
  for (const subject of scene.subjects) {
    const changed = found.has(subject) ? change(subject) : subject
    if (typeof changed === 'string') return changed
    subjects.push(changed)
  }
  return { ...scene, subjects }
}

const placing: readonly RelationKind[] = [
  'on',
  'in',
  'under',
  'above',
  'behind',
  'in-front-of',
  'beside',
  'left-of',
  'right-of',
  'between',
  'around',
]

function isPlacing(relation: Relation): boolean {
  return placing.includes(relation.kind)
}

function isNotPlacing(relation: Relation): boolean {
  return !isPlacing(relation)
}
