import type { LetterMake } from '../scene.ts'
import { createMention, type Draft } from './draft.ts'

const tone = '((?:(?:glowing|bright|shining|illuminated|lit|big|large|giant|colou?rful|fresh|real|foil|shiny|[a-z]{3,7}) ){0,2}?)'
const lead =
  '(?:written |spelled |spelt |spelled out |written out |drawn |painted |formed |shown |made )?(?:out )?(?:in|of|with|from|by|as|using)'
const kinds = '(?:letters?|lettering|lights?|tubes?|tubing|text|font|writing|style|type|script|words?)'
const surface = '(?:in|into|on|onto) (?:an? |the )?(?:[a-z]{3,9} )?(?:piece of |block of |slab of |plank of )?'

/** Materials and styles of letters. Each row has the pattern of the words, the material, and the
 *  text that replaces the words in the prompt. The replacement keeps what the words say about
 *  the colour of the letters or their background. */
const makes: readonly (readonly [RegExp, LetterMake, string])[] = [
  [new RegExp(`\\b${lead} ${tone}neon(?: ${kinds})?(?! sign)\\b`, 'gi'), 'neon', 'in $1letters'],
  [/\b(?:glowing )?neon (?=(?:letters?|lettering|text|words?|writing)\b)/gi, 'neon', ''],
  [new RegExp(`\\b${lead} ${tone}chalk(?: ${kinds})?\\b`, 'gi'), 'chalk', 'in $1letters'],
  [/\bchalk (?=(?:letters?|lettering|text|words?|writing)\b)/gi, 'chalk', ''],
  [new RegExp(`\\b${lead} ${tone}graffiti(?: ${kinds})?\\b`, 'gi'), 'graffiti', 'in $1letters'],
  [
    /\bgraffiti (?:of |that )?(?=(?:the )?(?:letters?|lettering|text|words?|writing|says|saying|reads|reading)\b)/gi,
    'graffiti',
    'the text ',
  ],
  [/\bspray[- ]painted(?= on\b)/gi, 'graffiti', 'written'],
  [
    new RegExp(
      `\\b(?:carved|engraved|chisell?ed|etched|cut|inscribed|burned) ${surface}(?:wood|plank|log|(?:wooden )?(?:board|plank|panel|surface|wall))\\b`,
      'gi',
    ),
    'carved',
    '',
  ],
  [
    new RegExp(
      `\\b(?:carved|engraved|chisell?ed|etched|cut|inscribed) ${surface}(?:stone (?:wall|slab|tablet)|marble slab|stone|rock|marble|granite|boulder|slab|tablet)\\b`,
      'gi',
    ),
    'carved',
    '',
  ],
  [
    new RegExp(`\\b(?:embroidered|stitched|sewn|cross-stitched) ${surface}(?:fabric|cloth|linen|canvas|textile)\\b`, 'gi'),
    'embroidered',
    '',
  ],
  [new RegExp(`\\b(?:in|with) ${tone}(?:embroidered|stitched|embroidery)(?: ${kinds})?\\b`, 'gi'), 'embroidered', 'in $1letters'],
  [new RegExp(`\\b${lead} ${tone}(?:flowers|roses|daisies|petals|blossoms|flower letters|floral letters)\\b`, 'gi'), 'flowers', ''],
  [new RegExp(`\\b${lead} ${tone}(?:balloons|balloon ${kinds})\\b`, 'gi'), 'balloons', 'in $1letters'],
  [/用?霓虹灯?(?:字体|文字|字母|字)(?:写成|写)?的?/g, 'neon', ''],
]
const lettered =
  /["“”「『][^"“”]{1,60}["“”」』]|(?<![\p{L}])['‘][^'‘’]{1,60}['’]|\b(?:words?|letters?|lettering|text|phrase|message|name|number|saying|says|reads|spell(?:s|ing|ed)?)\b|字/iu
const quoted = /["“「『][^"“”「」『』]{1,60}["”」』]|(?<![\p{L}])['‘][^'‘’]{1,60}['’](?!\p{L})/gu
const plainTone = /^(?:glowing|bright|shining|illuminated|lit|big|large|giant|colou?rful|fresh|real|foil|shiny)$/i

interface LetterMakeReading {
  text: string
  make?: LetterMake
  /** The words by which `make` was recognised, as written. */
  words?: string
}

/** Finds the material of the letters in a prompt that contains a text to write. Returns the
 *  material, and the prompt in which the words about it are removed or replaced; quoted texts
 *  stay as written. The run time grows linearly with the prompt. */
export function takeLetterMake(prompt: string): LetterMakeReading {
  if (!lettered.test(prompt)) return { text: prompt }
  const quotes: string[] = []
  const open = prompt.replace(quoted, quote => `⟦${quotes.push(quote) - 1}⟧`)
  for (const [pattern, make, left] of makes) {
    let words: string | undefined
    const text = open.replace(pattern, (found: string, tones: unknown) => {
      words ??= found
      const kept = typeof tones === 'string' ? tones.split(' ').filter(word => word !== '' && !plainTone.test(word)) : []
      return left.replace('$1', kept.length > 0 ? `${kept.join(' ')} ` : '')
    })
    if (words !== undefined) return { text: text.replace(/⟦(\d+)⟧/g, (_, index: string) => quotes[Number(index)] ?? ''), make, words }
  }
  return { text: prompt }
}

/** Gives the texts of the draft their material. When the prompt describes no scene, the letters
 *  also get a usual background: bricks for neon and paint, a board for chalk, linen for thread,
 *  wood or stone for carved letters. */
export function groundLetters(draft: Draft, { make, words }: LetterMakeReading): void {
  if (!make || draft.letterings.length === 0) return
  for (const lettering of draft.letterings) lettering.made = make
  // The word "chalk" for a text on a board is not reported as ignored, because the drawing of a
  // board shows every text as chalk.
  const isPrinted = ({ on }: Draft['letterings'][number]) => on?.match !== undefined && !(make === 'chalk' && /board/.test(on.match.noun))
  if (words && draft.letterings.some(isPrinted)) draft.madeWords = words
  const isBare = !draft.background && draft.mentions.every(({ match, setting }) => !match && !setting)
  if (make === 'neon' && draft.times.length === 0) draft.times.push('night')
  if (!isBare) return
  if (make === 'chalk') draft.background = { hex: '#2f3f39', name: 'blackboard' }
  if (make === 'embroidered') draft.background = { hex: '#e6dcc8', name: 'linen' }
  if (make !== 'neon' && make !== 'graffiti' && make !== 'carved') return
  const details = make !== 'carved' ? ['brick'] : /wood|plank|log|board|panel/.test(words ?? '') ? ['wooden'] : ['stone']
  const wall = createMention(draft.mentions.length)
  wall.words.push('wall')
  wall.setting = { kind: 'setting', setting: 'wall', strength: 'place', details }
  draft.mentions.push(wall)
  for (const lettering of draft.letterings) {
    lettering.on = wall
    delete lettering.isOpen
  }
}
