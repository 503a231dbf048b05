/** Removes from a text the characters that no font on this machine can draw. Most fonts lack
 *  emoji and many scripts; a missing character would be drawn as a box. */
import { createCanvas } from '@napi-rs/canvas'
import { prepareFont } from './fonts.ts'

interface WritableText {
  /** The text without the characters that no font has. Absent when one of the missing characters is
   *  a letter or a digit, or when no other character is left. */
  text?: string
  /** A sentence for the user about what is not written; absent when all of the text is written. */
  reason?: string
}

const side = 24
/** A character that no font has. A character that is drawn like this one is missing, too. */
const nowhere = '\u{10fffd}'

export function writableText(text: string): WritableText {
  const lacking = new Set([...new Set(text)].filter(isBox))
  if (lacking.size === 0) return { text }
  const isWord = [...lacking].some(character => /[\p{L}\p{N}\p{M}]/u.test(character))
  const rest = [...text].filter(character => !lacking.has(character) && !joiner.test(character))
  const bare = rest.join('').replace(/\s+/g, ' ').trim()
  if (isWord || bare === '') return { reason: `“${text}” is not written: the fonts of this engine lack its characters.` }
  return { text: bare, reason: `${[...lacking].join(' ')} is left out of “${bare}”: the fonts of this engine lack it.` }
}

/** Characters that join several characters to one emoji, or turn a symbol into an emoji. */
const joiner = /[\u200d\ufe0e\ufe0f]/

function isBox(character: string): boolean {
  if (/[\s\p{Cc}\p{Cf}]|\p{Default_Ignorable_Code_Point}/u.test(character)) return false
  const { family } = prepareFont(character)
  return drawn(character, family).equals(drawn(nowhere, family))
}

function drawn(character: string, family: string): Buffer {
  const canvas = createCanvas(side, side)
  const pen = canvas.getContext('2d')
  pen.font = `${side * 0.75}px ${family}`
  pen.fillText(character, 2, side * 0.75)
  return canvas.data()
}
