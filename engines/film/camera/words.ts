/** Reads camera movements in a prompt, which may be instructions in brackets or plain words. The
 *  instructions in one bracket happen at the same time. */
import type { CameraMove } from '@generation-gateway/kit/requests/video.ts'

interface CameraWords {
  /** Movements one after the other; empty when the prompt does not mention the camera. */
  steps: CameraMove[]
  /** The prompt without the camera words. */
  prompt: string
}

type Rule = [pattern: RegExp, move: CameraMove]

const left = '(?:to (?:the|its) )?left(?:wards?)?'
const right = '(?:to (?:the|its) )?right(?:wards?)?'
const camera = '(?:the )?(?:camera|view|shot)?\\s*(?:slowly |gently |quickly |smoothly )*'
/** Prefix for verbs that a subject of the picture can also have ("moves left"). Such a verb is
 *  about the camera only after the word "camera" or "view". */
const named = '(?:the )?(?:camera|view)\\s+(?:slowly |gently |quickly |smoothly |then )*'
const zh = '(?:镜头|画面|摄像机)?(?:缓慢|慢慢|缓缓|快速|地|向)*'
const rule = (source: string, move: CameraMove): Rule => [new RegExp(source, 'iu'), move]

/** The rules. The one whose match begins first in the text applies; of several that begin at the
 *  same place, the first in this list. The amounts are those of a step at normal pace. */
const rules: Rule[] = [
  rule(
    `${camera}\\b(?:trucks?|trucking|tracks?|tracking) ${left}\\b|${named}(?:slid(?:es|ing)|mov(?:es|ing)|drift(?:s|ing)|glid(?:es|ing)) ${left}\\b|${zh}(?:左移|左移动)`,
    { horizontal: -6 },
  ),
  rule(
    `${camera}\\b(?:trucks?|trucking|tracks?|tracking) ${right}\\b|${named}(?:slid(?:es|ing)|mov(?:es|ing)|drift(?:s|ing)|glid(?:es|ing)) ${right}\\b|${zh}(?:右移|右移动)`,
    { horizontal: 6 },
  ),
  rule(`${camera}\\bpan(?:s|ning)?(?: shot)? ${left}\\b|${zh}左摇`, { pan: -6 }),
  rule(`${camera}\\bpan(?:s|ning)?(?: shot)? ${right}\\b|${zh}右摇`, { pan: 6 }),
  rule(`${camera}\\btilt(?:s|ing)? ${left}\\b`, { pan: -4 }),
  rule(`${camera}\\btilt(?:s|ing)? ${right}\\b`, { pan: 4 }),
  rule(`${camera}\\btilt(?:s|ing)? (?:shot )?up(?:wards?)?\\b|${zh}上摇`, { tilt: 6 }),
  rule(`${camera}\\btilt(?:s|ing)? (?:shot )?down(?:wards?)?\\b|${zh}下摇`, { tilt: -6 }),
  rule(`${camera}\\bzoom(?:s|ing)? in(?: shot)?\\b|${zh}(?:变焦推近|放大)`, { zoom: -6 }),
  rule(`${camera}\\bzoom(?:s|ing)? out\\b|${zh}(?:变焦拉远|缩小)`, { zoom: 6 }),
  rule(
    `${camera}\\bpush(?:es|ing)? in\\b|${camera}\\bdolly(?:ing)?(?: shot)?(?: in| forwards?| towards?)?\\b(?! (?:out|back))|${named}(?:moves|flies) forwards?\\b|${zh}(?:推近|推进|推镜头|前推)`,
    { depth: 6 },
  ),
  rule(`${camera}\\b(?:pull(?:s|ing)? (?:out|back|away)|dolly(?:ing)? (?:out|back(?:wards?)?))\\b|${zh}(?:拉远|拉出|拉镜头|后退)`, {
    depth: -6,
  }),
  rule(
    `${camera}\\b(?:crane(?:s)? up|pedestal up|boom up|crane shot)\\b|${named}(?:ascends|rises)\\b|${zh}(?:上升镜头|镜头上升)|镜头上升`,
    { vertical: 6 },
  ),
  rule(`${camera}\\b(?:crane(?:s)? down|pedestal down|boom down)\\b|${named}(?:descends|sinks)\\b|${zh}(?:下降镜头|镜头下降)|镜头下降`, {
    vertical: -6,
  }),
  rule(`${camera}\\b(?:drone (?:shot|view|footage|flight)|fly[- ]?over(?: shot)?|aerial tracking shot)\\b|无人机(?:镜头|航拍)?|航拍`, {
    vertical: 3,
    depth: 5,
  }),
  rule(`${named}(?:orbits|circles)\\b|\\b(?:orbit(?:ing)?|arc|circling) (?:camera|shot)\\b|环绕镜头|镜头环绕`, { horizontal: 6, pan: -4 }),
  rule(`${named}rolls?(?: clockwise)?\\b`, { roll: 4 }),
  rule(
    `${named}follow(?:s|ing)?\\b|\\b(?:follow|following|tracking) shot\\b|(?<=[,;.]\\s*)follow(?=\\s*(?:$|[,;.]))|跟随镜头|镜头跟随|跟拍`,
    { follow: true },
  ),
  rule(
    `\\bhand-?held(?: camera| shot)?\\b|\\bshak(?:y|ing) (?:camera|shot)\\b|\\bcamera shake\\b|${named}shakes\\b|晃动镜头|手持镜头|镜头晃动`,
    { shake: 5 },
  ),
  rule(
    '\\b(?:the )?(?:camera|shot) (?:is )?(?:fixed|static|still|locked(?: off)?)\\b|\\b(?:fixed|static|locked-?off|still) (?:camera|shot)\\b|固定镜头|镜头固定',
    {},
  ),
]

/** Rules for instructions in brackets. There a single word is enough. */
const bracketed: Rule[] = [
  rule('^(?:fixed|static|固定)$', {}),
  rule('^(?:follow|tracking|跟随)$', { follow: true }),
  rule('^(?:roll|roll clockwise)$', { roll: 4 }),
  rule('^(?:ascend|上升)$', { vertical: 6 }),
  rule('^(?:descend|下降)$', { vertical: -6 }),
  rule('^(?:shake|晃动)$', { shake: 5 }),
  ...rules,
]

/** Reads the camera words of a prompt. Each bracket with known instructions is one step. If there
 *  is such a bracket, plain words about the camera have no effect, but are removed from the prompt,
 *  too. */
export function readCamera(prompt: string): CameraWords {
  const steps: CameraMove[] = []
  const rest = prompt.replace(/[[【]([^\]】]{1,120})[\]】]/gu, (whole, inside: string) => {
    const moves = inside.split(/[,，、;+]/u).map(word => moveIn(bracketed, word.trim())?.move)
    if (moves.length === 0 || moves.some(move => move === undefined)) return whole
    steps.push(Object.assign({}, ...moves) as CameraMove)
    return ' '
  })
  const plain = readPlain(rest)
  return { steps: steps.length > 0 ? steps : plain.steps, prompt: tidy(plain.prompt) }
}

/** Reads camera movements in plain words. A movement after "then" or a similar word follows the
 *  one before; all others happen at the same time as the one before. After six steps, the rest
 *  of the text is not read. */
function readPlain(prompt: string): CameraWords {
  const steps: CameraMove[] = []
  let rest = prompt
  for (let found = moveIn(rules, rest); found && steps.length < 6; found = moveIn(rules, rest)) {
    const before = rest.slice(0, found.at)
    const amount = paceOf(rest.slice(Math.max(0, found.at - 24), found.at + found.length))
    const move = scaled(found.move, amount)
    const isLater = steps.length === 0 || /\b(?:then|after(?:wards)?|finally)\b|然后|接着|最后/iu.test(before.slice(-40))
    const last = steps.at(-1)
    if (isLater || !last) steps.push(move)
    else steps[steps.length - 1] = { ...last, ...move }
    rest = `${before.replace(/(?:\b(?:a|the|with|then|and|while|as|in a|slow|fast|gentle|slowly|quickly|smooth)\s*)+$/iu, '')} ${rest.slice(found.at + found.length)}`
  }
  return { steps, prompt: rest }
}

function moveIn(from: readonly Rule[], text: string): { move: CameraMove; at: number; length: number } | undefined {
  let first: { move: CameraMove; at: number; length: number } | undefined
  for (const [pattern, move] of from) {
    const found = pattern.exec(text)
    if (found && (!first || found.index < first.at)) first = { move, at: found.index, length: found[0].length }
  }
  return first
}

function paceOf(words: string): number {
  if (/\bslow|gentl|缓|慢/iu.test(words)) return 0.55
  return /\b(?:fast|quick|rapid|whip)|快/iu.test(words) ? 1.6 : 1
}

function scaled(move: CameraMove, amount: number): CameraMove {
  const entries = Object.entries(move).map(([name, value]) => [name, typeof value === 'number' ? value * amount : value])
  return Object.fromEntries(entries) as CameraMove
}

function tidy(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(/\s+([,.;，。])/gu, '$1')
    .replace(/([,，])\s*(?=[,，.。]|$)/gu, '')
    .replace(/^[\s,.;，。]+/u, '')
    .trim()
}
