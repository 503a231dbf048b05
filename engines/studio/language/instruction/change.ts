import type { Colour } from '../../scene.ts'
import type { Edit, Target } from '../edit-types.ts'
import { amountOf, type InstructionContext, meaningOf, newSubjects, quoteAt, settingEdit, targetOf, wholeEdits } from './common.ts'

/** Returns the edits for "change X to Y", "make X Y" and 把X变成Y ("turn X into Y"); `what` is X and
 *  `into` is Y. Undefined when no rule knows this change. */
export function changeTo(what: string, into: string, context: InstructionContext): Edit[] | undefined {
  const ofColour = /^(?:the )?(?:colou?r of (.+)|(.+?)(?:'s)? colou?r)$/i.exec(what.trim()) ?? /^(.+?)的?颜色$/.exec(what.trim())
  const thing = ofColour ? (ofColour[1] ?? ofColour[2] ?? what) : what
  const target = targetOf(thing, context)
  if (!target) return undefined
  const tone = toneEdits(into)
  const isWhole = target.noun === 'it' || target.noun === 'image'
  if (tone && (isWhole || target.noun === 'background' || target.noun === 'sky'))
    return tone.flatMap(edit =>
      edit.kind === 'blur' && target.noun === 'background' ? [{ ...edit, area: 'background' as const }] : [edit],
    )
  const factor = sizeFactor(into)
  if (factor !== undefined && target.noun !== 'image') return [{ kind: 'resize', target, factor }]
  return changeTarget(target, into, context)
}

function changeTarget(target: Target, into: string, context: InstructionContext): Edit[] | undefined {
  const meaning = meaningOf(into, context)
  const whole = wholeEdits(meaning)
  switch (target.noun) {
    case 'it':
    case 'image':
      return changeWhole(target, into, context)
    case 'background':
      if (meaning.scene.setting.words === '' && meaning.scene.subjects.length === 0 && whole.length > 0 && !meaning.colour) return whole
      return asList(
        settingEdit(meaning),
        whole.filter(edit => edit.kind === 'time' || edit.kind === 'weather' || edit.kind === 'season'),
      )
    case 'sky':
      return whole.length > 0 ? whole : meaning.colour ? [{ kind: 'recolour', colour: meaning.colour, target }] : undefined
    case 'time':
    case 'season':
    case 'weather':
    case 'style':
      return whole.length > 0 ? whole : undefined
    case 'text': {
      const text = quoteAt(into, context) ?? into.replace(/⟦\d+⟧/g, '').trim()
      return text === ''
        ? undefined
        : [
            { kind: 'remove', target },
            { kind: 'text', lettering: { text } },
          ]
    }
    default:
      if (meaning.colour) return [{ kind: 'recolour', colour: meaning.colour, target }]
      if (meaning.scene.subjects.length > 0) return [{ kind: 'replace', target, subjects: newSubjects(meaning) }]
      return whole.length > 0 && isPlaceLike(target) ? whole : undefined
  }
}

function isPlaceLike(target: Target): boolean {
  return /scene|weather|tree|sky|sea|forest|city|street|mountain|ground/.test(target.noun)
}

function asList(first: Edit | undefined, rest: Edit[]): Edit[] | undefined {
  const edits = first ? [first, ...rest] : rest
  return edits.length > 0 ? edits : undefined
}

function changeWhole(target: Target, into: string, context: InstructionContext): Edit[] | undefined {
  const meaning = meaningOf(into, context)
  const whole = wholeEdits(meaning)
  const { scene, colour } = meaning
  if (colour) return [{ kind: 'recolour', colour }]
  const setting = scene.setting.words !== '' && scene.setting.kind !== 'abstract' ? settingEdit(meaning) : undefined
  if (whole.length > 0 || setting) return [...whole, ...(setting ? [setting] : [])]
  if (target.noun === 'it' && scene.subjects.length > 0) return [{ kind: 'replace', target, subjects: newSubjects(meaning) }]
  return undefined
}

/** Returns the edits of brightness, contrast, colour, sharpness and the like for a phrase such as
 *  "much brighter and more colorful" or 更亮 ("brighter"). Undefined when a part of the phrase means
 *  something else. */
export function toneEdits(phrase: string): Edit[] | undefined {
  const edits: Edit[] = []
  for (const part of phrase.split(/\s*(?:,|，|、|\band\b(?! white)|\bbut\b|又|而且|并且)\s*/i)) {
    const edit = toneEdit(part)
    if (!edit && part.trim() !== '') return undefined
    if (edit) edits.push(edit)
  }
  return edits.length > 0 ? edits : undefined
}

/** Patterns for the words of a mood, in several languages, with the mood that an edit then gives to
 *  the picture. */
const moods: [RegExp, string][] = [
  [
    /^(?:(?:much |even |a bit |a little |slightly )?(?:more )?(?:happy|happier|cheerful|merry|merrier|joyful|joyous|fun|lively|uplifting|fröhlich(?:er)?|heiter(?:er)?)|plus (?:joyeu(?:x|se)|gaie?|heureu(?:x|se))|m[aá]s (?:alegre|feliz)|più (?:allegro|felice)|mais (?:alegre|feliz)|开心|快乐|欢快|欢乐|楽しく?|明るく楽しく|행복하게|веселее)$/iu,
    'cheerful',
  ],
  [
    /^(?:(?:more )?(?:sad|sadder|gloomy|gloomier|melancholic|melancholy|sorrowful|somber|sombre|traurig(?:er)?|düsterer?)|plus triste|m[aá]s triste|più triste|mais triste|悲伤|忧伤|忧郁|悲しく|грустнее)$/iu,
    'gloomy',
  ],
  [
    /^(?:(?:more )?(?:calm|calmer|peaceful|serene|quiet|quieter|relaxed|relaxing|tranquil|ruhig(?:er)?)|plus calme|m[aá]s (?:tranquil[oa]|calm[oa])|più calmo|平静|安静|宁静|спокойнее)$/iu,
    'calm',
  ],
  [
    /^(?:(?:more )?(?:dramatic|intense|powerful|dramatisch(?:er)?)|plus dramatique|m[aá]s dram[aá]tico|戏剧性|ドラマチックに|драматичнее)$/iu,
    'dramatic',
  ],
]

const tones: [RegExp, (amount: number) => Edit][] = [
  [
    /^(black[- ]and[- ]white|black & white|b&w|bw|gr[ae]y ?scale|gr[ae]y-scale|monochrome|monochromatic|colou?rless|黑白|黑白的|灰度|灰度图|单色|黑白色|黑白照片|黑白照|黑白风格)$/i,
    () => ({ kind: 'grey' }),
  ],
  [/^(sepia|sepia[- ]toned?|in sepia|棕褐色|怀旧色调|褐色调|泛黄)$/i, () => ({ kind: 'sepia' })],
  [/^(inverted|negative|colou?r inverted|反色|反相|负片)$/i, () => ({ kind: 'invert' })],
  [/(blurr(y|ier|ed)|out of focus|模糊|虚化)/i, amount => ({ kind: 'blur', area: 'whole', amount })],
  [/(sharper|crisper|clearer|more sharp|清晰|锐利|锐化)/i, amount => ({ kind: 'sharpen', amount })],
  [/(brighter|lighter|more light|more bright|(?:^|\s)bright$|亮)/i, amount => ({ kind: 'brightness', amount })],
  [/(darker|dimmer|less bright|more dark|(?:^|\s)dark$|暗)/i, amount => ({ kind: 'brightness', amount: -amount })],
  [/((more|higher|increased|stronger) contrast|more contrasty|punchier|对比度?(更|再)?(强|高))/i, amount => ({ kind: 'contrast', amount })],
  [/((less|lower|reduced|softer|weaker) contrast|flatter|对比度?(更|再)?(弱|低))/i, amount => ({ kind: 'contrast', amount: -amount })],
  [
    /(more (vivid|vibrant|saturated|colou?rful|saturation|colou?r)|more vivid|richer colou?rs?|^(vivid|vibrant|colou?rful|saturated)$|鲜艳|饱和|艳丽|色彩(更|再)?丰富)/i,
    amount => ({ kind: 'saturation', amount }),
  ],
  [
    /(less (vivid|vibrant|saturated|colou?rful|saturation|colou?r)|more muted|duller|paler|desaturated|^(muted|faded)$|素|淡一|褪色|淡雅)/i,
    amount => ({ kind: 'saturation', amount: -amount }),
  ],
  [/(warmer|more warm|(?:^|\s)warm$|暖)/i, amount => ({ kind: 'temperature', amount })],
  [/(cooler|colder|more cold|more cool|bluer|(?:^|\s)(cool|cold)$|冷)/i, amount => ({ kind: 'temperature', amount: -amount })],
]

function toneEdit(part: string): Edit | undefined {
  const text = part.trim().replace(/^(look|looking|appear|to be|be|变得|变|得|看起来|调|更|一点|稍微)+\s*/i, '')
  if (text === '' || text.length > 40) return undefined
  const mood = moods.find(([pattern]) => pattern.test(text))?.[1]
  if (mood) return { kind: 'mood', mood }
  const found = tones.find(([pattern]) => pattern.test(text)) ?? tones.find(([pattern]) => pattern.test(part.trim()))
  const amount = amountOf(part)
  if (!found || leftWords(part) > 6) return undefined
  return found[1](amount)
}

function leftWords(part: string): number {
  return part.trim().split(/\s+/).length
}

/** Returns the factor for a phrase about size, such as "bigger", "twice as large", "50% smaller" or
 *  放大 ("enlarge"); undefined for other phrases. */
export function sizeFactor(phrase: string): number | undefined {
  const percent = /(\d{1,3})\s*%/.exec(phrase)
  const share = percent ? Number(percent[1]) / 100 : undefined
  const times = /(\d{1,3}(?:\.\d{1,2})?)\s*(x|times|倍)/i.exec(phrase)
  if (
    /\b(bigger|larger|taller|huge|giant|enormous|big|large|twice|double|wider|longer)\b|更大|大一点|大一些|放大|变大|加大|巨大|^大$|大得多/i.test(
      phrase,
    )
  ) {
    if (times) return clampFactor(Number(times[1]))
    if (/twice|double|两倍|一倍/i.test(phrase)) return 2
    if (share !== undefined) return clampFactor(1 + share)
    if (/huge|giant|enormous|巨大/i.test(phrase)) return 2
    return clampFactor(1 + amountOf(phrase, 0.4))
  }
  if (/\b(smaller|tinier|tiny|small|shorter|half|thinner|little)\b|更小|小一点|小一些|缩小|变小|^小$/i.test(phrase)) {
    if (/half|一半/i.test(phrase)) return 0.5
    if (share !== undefined) return clampFactor(1 - share)
    if (/tiny|很小/i.test(phrase)) return 0.5
    return clampFactor(1 - amountOf(phrase, 0.4) * 0.8)
  }
  return undefined
}

function clampFactor(factor: number): number {
  return Math.round(Math.min(4, Math.max(0.25, factor)) * 100) / 100
}

export const white: Colour = { hex: '#f7f7f5', name: 'white' }
export const black: Colour = { hex: '#1c1c1e', name: 'black' }
