import type { Camera, Scene, Subject } from '../scene.ts'
import { type Box, type Sheet, writeTexts } from './sheet.ts'

/** Draws the panels of a comic page, or a grid of pictures that show the same subject with
 *  different expressions. */
export async function drawPanels(sheet: Sheet): Promise<void> {
  const { pen, size, unit, format, scene, texts } = sheet
  const count = format.panels ?? 3
  const isComic = format.kind === 'comic'
  pen.fillStyle = isComic ? '#fdfcf8' : '#f2f3f5'
  pen.fillRect(0, 0, size.width, size.height)
  const boxes = isComic ? comicBoxes(count, sheet) : gridBoxes(count, sheet)
  const scenes = isComic ? told(scene, count) : changed(scene, format.looks ?? [], count)
  for (const [index, box] of boxes.entries()) {
    const panel = scenes[index]
    if (!panel) continue
    await sheet.print(panel, box, isComic ? undefined : context => context.roundRect(box.x, box.y, box.width, box.height, unit * 0.03))
    if (!isComic) continue
    pen.strokeStyle = '#17161a'
    pen.lineWidth = Math.max(1.5, unit * 0.007)
    pen.strokeRect(box.x, box.y, box.width, box.height)
  }
  const last = boxes.at(-1)
  if (last && texts.length > 0) balloon(sheet, last)
}

/** Returns the boxes of comic panels in reading order. A wide picture has one row; any other has
 *  rows of two panels. When the number is odd, the first row has a single wide panel; two panels
 *  are placed one below the other. */
function comicBoxes(count: number, { size, unit }: Sheet): Box[] {
  const gap = unit * 0.022
  const isStrip = size.width / size.height > 1.55
  const rows = isStrip
    ? [count]
    : count === 2
      ? [1, 1]
      : count % 2 === 0
        ? Array.from({ length: count / 2 }, () => 2)
        : [1, ...Array.from({ length: (count - 1) / 2 }, () => 2)]
  const height = (size.height - gap * (rows.length + 1)) / rows.length
  return rows.flatMap((inRow, row) => {
    const width = (size.width - gap * (inRow + 1)) / inRow
    return Array.from({ length: inRow }, (_, column) => ({ x: gap + column * (width + gap), y: gap + row * (height + gap), width, height }))
  })
}

function gridBoxes(count: number, { size, unit }: Sheet): Box[] {
  const columns = Math.ceil(Math.sqrt(count))
  const rows = Math.ceil(count / columns)
  const gap = unit * 0.03
  const [width, height] = [(size.width - gap * (columns + 1)) / columns, (size.height - gap * (rows + 1)) / rows]
  return Array.from({ length: count }, (_, index) => ({
    x: gap + (index % columns) * (width + gap),
    y: gap + Math.floor(index / columns) * (height + gap),
    width,
    height,
  }))
}

const framings: readonly Camera['framing'][] = ['wide', 'full', 'close-up', 'full', 'wide', 'medium']

/** Returns one scene for each comic panel. The first shows the place with the main subject, the
 *  second all subjects, the third the main subject in close-up; further panels continue with other
 *  framings. */
function told(scene: Scene, count: number): Scene[] {
  const first = hero(scene)
  return Array.from({ length: count }, (_, index) => {
    const framing = framings[index % framings.length] ?? 'full'
    const isSolo = index === 0 || framing === 'close-up' || framing === 'medium'
    const subjects = isSolo ? scene.subjects.filter(subject => subject === first || (index === 0 && subject.isBackground)) : scene.subjects
    const kept = new Set(subjects.map(({ id }) => id))
    return {
      ...scene,
      camera: { ...scene.camera, framing },
      subjects: subjects.map(subject => ({
        ...acting(placed(subject, scene, index), { isHero: subject === first, index, count }),
        relations: subject.relations.filter(({ of, and }) => kept.has(of) && (and === undefined || kept.has(and))),
      })),
    }
  })
}

/** Returns the subject with its pose and expression for the panel with this index, from 0. The main
 *  subject walks in the first panel and does what the prompt says in the next ones; in the third
 *  panel and every fourth after it, it is surprised. In the last of three panels or more it jumps
 *  for joy, or flies if it already flew. Other subjects are unchanged. */
function acting(subject: Subject, { isHero, index, count }: { isHero: boolean; index: number; count: number }): Subject {
  if (!isHero) return subject
  const looks = subject.looks.filter(look => !faces.test(look))
  if (index === 0) return { ...subject, pose: 'walking' }
  if (index === count - 1 && count > 2)
    return { ...subject, pose: subject.pose === 'flying' ? 'flying' : 'jumping', looks: [...looks, 'happy'] }
  return index % 4 === 2 ? { ...subject, looks: [...looks, 'surprised'] } : subject
}

/** Returns the main subject placed left or right, alternating from panel to panel, unless the
 *  prompt gives its position or relates it to another subject. Other subjects are unchanged. */
function placed(subject: Subject, scene: Scene, index: number): Subject {
  if (subject !== hero(scene) || subject.place || subject.relations.length > 0) return subject
  return { ...subject, place: { horizontal: index % 2 === 0 ? 'left' : 'right' } }
}

function hero({ subjects }: Scene): Subject | undefined {
  return subjects.find(({ isBackground }) => !isBackground)
}

const faces = /^(happy|sad|angry|surprised|sleepy|in love|shouting)$/

function changed(scene: Scene, words: readonly string[], count: number): Scene[] {
  const first = hero(scene)
  return Array.from({ length: count }, (_, index) => ({
    ...scene,
    camera: { ...scene.camera, framing: 'close-up' as const },
    subjects: scene.subjects.map(subject => {
      const look = lookOf(words[index % Math.max(1, words.length)] ?? '')
      return subject === first && look ? { ...subject, looks: [...subject.looks.filter(other => !faces.test(other)), look] } : subject
    }),
  }))
}

/** Returns the facial expression for a word of a grid; undefined for any other word. */
function lookOf(word: string): string | undefined {
  if (/happ|smil|laugh|joy|grin|excit/.test(word)) return 'happy'
  if (/sob|cry|sad|tear|upset|worr/.test(word)) return 'sad'
  if (/ang|furi|mad|grump/.test(word)) return 'angry'
  if (/surpris|shock|amaz|confus|scare/.test(word)) return 'surprised'
  if (/sleep|tired|bored/.test(word)) return 'sleepy'
  return /love|heart/.test(word) ? 'in love' : undefined
}

/** Draws a speech balloon with the text at the top of the last panel. */
function balloon({ pen, unit, texts }: Sheet, panel: Box): void {
  const box = { x: panel.x + panel.width * 0.12, y: panel.y + panel.height * 0.05, width: panel.width * 0.76, height: panel.height * 0.24 }
  pen.fillStyle = '#ffffff'
  pen.strokeStyle = '#17161a'
  pen.lineWidth = Math.max(1.2, unit * 0.005)
  pen.beginPath()
  pen.moveTo(box.x + box.width * 0.4, box.y + box.height * 0.9)
  pen.lineTo(box.x + box.width * 0.44, box.y + box.height * 1.34)
  pen.lineTo(box.x + box.width * 0.56, box.y + box.height * 0.9)
  pen.stroke()
  pen.fill()
  pen.beginPath()
  pen.ellipse(box.x + box.width / 2, box.y + box.height / 2, box.width / 2, box.height / 2, 0, 0, Math.PI * 2)
  pen.fill()
  pen.stroke()
  pen.beginPath()
  pen.moveTo(box.x + box.width * 0.41, box.y + box.height * 0.88)
  pen.lineTo(box.x + box.width * 0.44, box.y + box.height * 1.3)
  pen.lineTo(box.x + box.width * 0.55, box.y + box.height * 0.88)
  pen.fill()
  writeTexts(
    pen,
    texts,
    { x: box.x + box.width * 0.12, y: box.y + box.height * 0.14, width: box.width * 0.76, height: box.height * 0.72 },
    '#17161a',
  )
}
