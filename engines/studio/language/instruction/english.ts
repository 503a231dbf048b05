import type { RelationKind } from '../../scene.ts'
import type { Edit, Target } from '../edit-types.ts'
import { black, changeTo, sizeFactor, toneEdits, white } from './change.ts'
import {
  amountOf,
  anyColour,
  type InstructionContext,
  meaningOf,
  newSubjects,
  onlyColour,
  placeOf,
  plainSetting,
  quoteAt,
  targetOf,
  wholeEdits,
} from './common.ts'
import { shapeEdits } from './shape.ts'

type Rule = [RegExp, (found: RegExpExecArray, context: InstructionContext) => Edit[] | undefined]

/** Returns the edits of one English command; undefined when no rule matches. */
export function englishCommand(text: string, context: InstructionContext): Edit[] | undefined {
  const lettering = textEdit(text, context)
  if (lettering) return lettering
  const tone = toneEdits(text) ?? shapeEdits(text, context)
  if (tone) return tone
  for (const [pattern, make] of rules) {
    const found = pattern.exec(text)
    const edits = found ? make(found, context) : undefined
    if (edits) return edits
  }
  const meaning = meaningOf(text, context)
  const whole = wholeEdits(meaning)
  return whole.length > 0 && meaning.scene.notDrawn.length === 0 && meaning.scene.subjects.length === 0 ? whole : undefined
}

const signs = {
  increase: 1,
  raise: 1,
  boost: 1,
  enhance: 1,
  more: 1,
  add: 1,
  'turn up': 1,
  strengthen: 1,
  decrease: -1,
  reduce: -1,
  lower: -1,
  less: -1,
  weaken: -1,
  'turn down': -1,
} as const

function signOf(verb: string): 1 | -1 {
  const key = verb.toLowerCase()
  return key in signs && /^(decrease|reduce|lower|less|weaken|turn down)$/.test(key) ? -1 : 1
}

const rules: Rule[] = [
  [
    /^(?:change|replace|set|edit)\s+(?:the )?(?:text|words?|lettering|writing) (?:on|of) (.+?)\s+(?:to|with|into)\s+(.+)$/i,
    (found, context) => signText(found[1] ?? '', found[2] ?? '', context),
  ],
  [
    /^(?:change|replace|set|edit)\s+(?:the )?(\w.*?)(?:'s)? (?:text|words?|lettering|writing)\s+(?:to|with|into)\s+(.+)$/i,
    (found, context) => signText(found[1] ?? '', found[2] ?? '', context),
  ],
  [
    /^(?:change|turn|convert|switch|transform|go)\s+(?:in)?to\s+(?:an? |the )?(.+)$/i,
    (found, context) => changeTo('it', found[1] ?? '', context),
  ],
  [
    /^(?:convert|turn|make|change)?\s*(?:it|this|the (?:image|picture|photo))?\s*(?:in)?(?:to)?\s*(black[- ]and[- ]white|gr[ae]y ?scale|b&w|monochrome)(?: (?:image|photo|picture))?$/i,
    () => [{ kind: 'grey' }],
  ],
  [/^(?:apply |add |use |make it )?(?:a |in )?sepia(?: (?:tone|filter|effect|look))?(?: to .+)?$/i, () => [{ kind: 'sepia' }]],
  [/^(?:invert|negate)\b/i, () => [{ kind: 'invert' }]],
  [
    /^(?:desaturate)\b(.*)$/i,
    found => [/complete|full|total/i.test(found[1] ?? '') ? { kind: 'grey' } : { kind: 'saturation', amount: -amountOf(found[1] ?? '') }],
  ],
  [/^saturate\b(.*)$/i, found => [{ kind: 'saturation', amount: amountOf(found[1] ?? '') }]],
  [
    /^(?:slightly |strongly )?(?:blur|soften|defocus)\b(.*)$/i,
    found => [
      { kind: 'blur', area: /background|backdrop|behind/i.test(found[1] ?? '') ? 'background' : 'whole', amount: amountOf(found[0]) },
    ],
  ],
  [
    /^(?:add|apply|give it) (?:a |some |more )?(.*)\bblur\b(.*)$/i,
    found => [{ kind: 'blur', area: /background/i.test(found[0]) ? 'background' : 'whole', amount: amountOf(found[0]) }],
  ],
  [
    /^(?:sharpen|enhance the (?:details?|sharpness)|increase (?:the )?sharpness)\b(.*)$/i,
    found => [{ kind: 'sharpen', amount: amountOf(found[1] ?? '') }],
  ],
  [/^(?:brighten|lighten)\b(.*)$/i, found => [{ kind: 'brightness', amount: amountOf(found[1] ?? '') }]],
  [/^(?:darken|dim)\b(.*)$/i, found => [{ kind: 'brightness', amount: -amountOf(found[1] ?? '') }]],
  [/^(?:warm)\b(?: up)?(.*)$/i, found => [{ kind: 'temperature', amount: amountOf(found[1] ?? '') }]],
  [/^(?:cool)\b(?: down)?(.*)$/i, found => [{ kind: 'temperature', amount: -amountOf(found[1] ?? '') }]],
  [
    /^(increase|raise|boost|enhance|more|add|turn up|strengthen|decrease|reduce|lower|less|weaken|turn down)\s+(?:the |a bit (?:of )?|some |more |a little )?(brightness|exposure|contrast|saturation|vibrance|colou?rs|warmth|temperature|sharpness)\b(.*)$/i,
    found => toneOf(found),
  ],
  [/^(?:add|apply|put|give it)\s+(?:a |an |some )?(?:\w+ )?vignette\b(.*)$/i, found => [{ kind: 'vignette', amount: amountOf(found[0]) }]],
  [
    /^(?:add|put|apply|draw|give (?:it|the (?:image|picture|photo)))\s+(?:a |an )?(.*?)\b(?:border|frame)\b(.*)$/i,
    (found, context) => border(found[0], context),
  ],
  [/^frame\b(.*)$/i, (found, context) => border(found[0], context)],
  [
    /^(?:replace|swap|substitute|exchange)\s+(.+?)\s+(?:with|for|by)\s+(.+)$/i,
    (found, context) => replace(found[1] ?? '', found[2] ?? '', context),
  ],
  [/^(?:remove|delete|erase|get rid of|take out|take away|eliminate|hide)\s+(.+)$/i, (found, context) => remove(found[1] ?? '', context)],
  [
    /^(?:move|shift|place|put)\s+(it|them|the .+?|this .+?)\s+(?:(?:over )?to|in|at|on|onto|into)\s+(?:the )?((?:far )?(?:top|bottom|upper|lower|left|right|cent(?:er|re)|middle|background|foreground|distance).*)$/i,
    (found, context) => move(found[1] ?? '', found[2] ?? '', context),
  ],
  [
    /^(?:enlarge|scale up|magnify|grow)\s+(.+?)(?: by (.+))?$/i,
    (found, context) => resize(found[1] ?? '', `bigger ${found[2] ?? ''}`, context),
  ],
  [
    /^(?:shrink|scale down|reduce the size of)\s+(.+?)(?: by (.+))?$/i,
    (found, context) => resize(found[1] ?? '', `smaller ${found[2] ?? ''}`, context),
  ],
  [/^(?:paint|colou?r|recolou?r|dye|tint)\s+(.+)$/i, (found, context) => paint(found[1] ?? '', context)],
  [
    /^(?:change|turn|transform|convert|set|adjust)\s+(.+?)\s+(?:in)?to\s+(?:be )?(?:an? |the )?(.+)$/i,
    (found, context) => changeTo(found[1] ?? '', found[2] ?? '', context),
  ],
  [
    /^(?:convert|transform|render|redraw|restyle|repaint|redo|draw|show|set)\s+(.+?)\s+(?:into|in|as|to|at|like)\s+(?:an? |the )?(.+)$/i,
    (found, context) => changeTo(found[1] ?? '', found[2] ?? '', context),
  ],
  [
    /^(?:make|turn|let|set)\s+(it|them|everything|this|the .+?|all .+?|her .+?|his .+?)\s+(?:look |appear |be |seem |become |feel )?(?:like |as if |as )?(?:it is |it's |it was )?(?:set |taken |painted |drawn |made )?(?:in |at |on |into )?(?:an? |the )?((?:much |a bit |a little |slightly |more |less |very |twice |\d+% )*\S+(?: \S+){0,6})$/i,
    (found, context) => makeLike(found, context),
  ],
  [
    /^(?:use|apply)\s+(?:an? |the )?(.+?)(?: style| filter| effect| look)?(?: to .+)?$/i,
    (found, context) => changeTo('it', found[1] ?? '', context),
  ],
  [/^(?:add|put|place|insert|include|draw|give (?:him|her|it|them))\s+(.+)$/i, (found, context) => add(found[1] ?? '', context)],
  [/^(?:colou?rful|vivid|bright)$/i, () => [{ kind: 'saturation', amount: 0.5 }]],
]

function toneOf(found: RegExpExecArray): Edit[] {
  const amount = signOf(found[1] ?? '') * amountOf(found[3] ?? '')
  const what = (found[2] ?? '').toLowerCase()
  if (what === 'contrast') return [{ kind: 'contrast', amount }]
  if (what === 'brightness' || what === 'exposure') return [{ kind: 'brightness', amount }]
  if (what === 'warmth' || what === 'temperature') return [{ kind: 'temperature', amount }]
  if (what === 'sharpness') return amount > 0 ? [{ kind: 'sharpen', amount }] : [{ kind: 'blur', area: 'whole', amount: -amount }]
  return [{ kind: 'saturation', amount }]
}

export function border(text: string, context: InstructionContext): Edit[] {
  const width = /thick|wide|heavy|粗|宽/i.test(text) ? 0.08 : /thin|narrow|fine|细|窄/i.test(text) ? 0.02 : 0.04
  const colour =
    anyColour(text, context) ??
    (/wood|木/i.test(text)
      ? { hex: '#7b4a2b', name: 'brown' }
      : /gold|金/i.test(text)
        ? { hex: '#e6b422', name: 'gold' }
        : /black|黑/i.test(text)
          ? black
          : white)
  return [{ kind: 'border', colour, width, rounded: /round|圆角/i.test(text) }]
}

function signText(what: string, into: string, context: InstructionContext): Edit[] | undefined {
  const on = targetOf(what, context)
  const text = quoteAt(into, context) ?? into.trim()
  if (!on || text === '') return undefined
  return [
    { kind: 'remove', target: { noun: 'text', words: 'text' } },
    { kind: 'text', lettering: { text }, on },
  ]
}

function replace(what: string, by: string, context: InstructionContext): Edit[] | undefined {
  return changeTo(what, by.replace(/^(?:an? |the )/i, ''), context)
}

export function remove(what: string, context: InstructionContext): Edit[] | undefined {
  const phrase = what.replace(/\s+from (?:the |this )?(?:image|picture|photo|scene|background)$/i, '')
  const weather = /\b(rain|snow|fog|mist|clouds?|storm|lightning|haze)\b|雨|雪$|雾|云|闪电/i.exec(phrase)
  if (weather && phrase.split(/\s+/).length <= 3 && !/\p{Script=Han}{4,}/u.test(phrase)) return [{ kind: 'weather', weather: ['clear'] }]
  const parts = phrase.split(/\s*(?:,|，|、|\band\b|和|与)\s*/i).filter(part => part !== '')
  const edits = parts.map(part => removeOne(part, context))
  return edits.every(edit => edit !== undefined) && edits.length > 0 ? edits : undefined
}

function removeOne(phrase: string, context: InstructionContext): Edit | undefined {
  const target = targetOf(phrase, context)
  if (!target || target.noun === 'image') return undefined
  if (target.noun === 'background') return plainSetting('backdrop', white)
  return { kind: 'remove', target }
}

function move(what: string, where: string, context: InstructionContext): Edit[] | undefined {
  const target = targetOf(what, context)
  const place = placeOf(`in the ${where}`, context) ?? placeOf(where, context)
  return target && place ? [{ kind: 'move', target, place }] : undefined
}

function resize(what: string, how: string, context: InstructionContext): Edit[] | undefined {
  const target = targetOf(what, context)
  const factor = sizeFactor(how)
  return target && target.noun !== 'image' && factor !== undefined ? [{ kind: 'resize', target, factor }] : undefined
}

/** Reads "the house dark blue" as a thing and its new colour, which is the last word or the last
 *  two words. Undefined for other phrases. */
function paint(phrase: string, context: InstructionContext): Edit[] | undefined {
  const words = phrase.split(/\s+/)
  for (const size of [2, 1]) {
    const colourPart = words.slice(-size).join(' ')
    const rest = words
      .slice(0, -size)
      .join(' ')
      .replace(/\s+(?:in|to|into|with)$/i, '')
    if (rest !== '' && onlyColour(colourPart, context) && !/^(?:the|in|to|into)\b/i.test(colourPart))
      return recolour(rest, colourPart, context)
  }
  return undefined
}

function recolour(what: string, colourWords: string, context: InstructionContext): Edit[] | undefined {
  const colour = anyColour(colourWords, context)
  const target = targetOf(what, context)
  if (!colour || !target) return undefined
  if (target.noun === 'background') return [plainSetting('backdrop', colour)]
  return [{ kind: 'recolour', colour, ...(target.noun === 'image' ? {} : { target }) }]
}

function makeLike(found: RegExpExecArray, context: InstructionContext): Edit[] | undefined {
  const [, what = '', into = ''] = found
  const flat = into.replace(/^(?:look|looks|looking) (?:like )?/i, '')
  return changeTo(what, flat, context)
}

/** Reads commands that write a text, such as 'write "HELLO" at the bottom in red' and "add a title
 *  that says ...". Undefined for other commands. */
function textEdit(text: string, context: InstructionContext): Edit[] | undefined {
  if (
    !/\b(write|text|title|caption|words?|lettering|label|print|says|saying|reads|reading)\b/i.test(text) ||
    /^(remove|delete|erase)/i.test(text)
  )
    return undefined
  if (/^(change|replace)\b/i.test(text)) return undefined
  const bare = /(?:write|print|text|title|caption|saying|says|words?)\s*:?\s+([A-Z][\w'!]*(?: [A-Z0-9][\w'!]*)*)/.exec(text)?.[1]
  const words = quoteAt(text, context) ?? bare
  if (words === undefined) return undefined
  const rest = text.replace(/⟦\d+⟧/g, ' ').replace(bare ?? ' ', ' ')
  const place = placeOf(rest, context)
  const colour = anyColour(rest, context)
  const onThing = /\bon (?:the |his |her |its )(?!top|bottom|left|right|image|picture|photo)([a-z ]+?)(?: in | at |$)/i.exec(rest)?.[1]
  const on = onThing ? targetOf(onThing, context) : undefined
  return [{ kind: 'text', lettering: { text: words, ...(place ? { place } : {}), ...(colour ? { colour } : {}) }, ...(on ? { on } : {}) }]
}

const anchors: [RegExp, RelationKind][] = [
  [/\s(?:to the |on the )?left (?:side )?of (.+)$/i, 'left-of'],
  [/\s(?:to the |on the )?right (?:side )?of (.+)$/i, 'right-of'],
  [/\s(?:on top of|on|onto|atop) (the .+|his .+|her .+)$/i, 'on'],
  [/\s(?:under|below|beneath|underneath) (.+)$/i, 'under'],
  [/\s(?:above|over) (.+)$/i, 'above'],
  [/\sbehind (.+)$/i, 'behind'],
  [/\sin front of (.+)$/i, 'in-front-of'],
  [/\s(?:next to|beside|near|by|alongside|close to) (.+)$/i, 'beside'],
  [/\s(?:inside|in|into) (the .+)$/i, 'in'],
  [/\saround (.+)$/i, 'around'],
  [/\sto (the .+|his .+|her .+)$/i, 'beside'],
]

/** Returns the edits for the phrase after "add", such as "a cat on the left", "a hat to the man"
 *  and "some rain". Undefined when it is not understood. */
function add(phrase: string, context: InstructionContext): Edit[] | undefined {
  const anchored = anchorOf(phrase, context)
  const meaning = meaningOf(anchored ? anchored.rest : phrase, context)
  if (meaning.scene.subjects.length === 0) {
    const whole = wholeEdits(meaning)
    const worn = anchored ? meaningOf(`wearing ${anchored.rest}`, context) : undefined
    if (worn && worn.scene.subjects.length > 0 && anchored)
      return [{ kind: 'add', subjects: newSubjects(worn), anchor: { relation: 'wearing', target: anchored.target } }]
    return whole.length > 0 ? whole : undefined
  }
  const place = placeOf(phrase, context)
  const subjects = newSubjects(meaning).map(subject => withoutPlace(subject))
  const wears =
    /\b(hat|cap|crown|glasses|sunglasses|scarf|helmet|mask|headphones|tie|bow)\b/i.test(phrase) &&
    anchored &&
    anchored.relation !== 'left-of' &&
    anchored.relation !== 'right-of'
  const anchor = anchored ? { anchor: { relation: wears ? ('wearing' as const) : anchored.relation, target: anchored.target } } : {}
  return [{ kind: 'add', subjects, ...(place ? { place } : {}), ...anchor }]
}

function withoutPlace<T extends { place?: unknown }>(subject: T): Omit<T, 'place'> {
  const { place: _, ...rest } = subject
  return rest
}

interface Anchor {
  rest: string
  relation: RelationKind
  target: Target
}

function anchorOf(phrase: string, context: InstructionContext): Anchor | undefined {
  for (const [pattern, relation] of anchors) {
    const found = pattern.exec(phrase)
    if (!found) continue
    const target = targetOf(found[1] ?? '', context)
    const isPlace =
      /^(the )?(top|bottom|left|right|upper|lower|cent(er|re)|middle|background|foreground|distance|corner|image|picture|photo|scene|sky)\b/i.test(
        found[1] ?? '',
      )
    if (!target || isPlace) continue
    return { rest: phrase.slice(0, found.index), relation, target }
  }
  return undefined
}
