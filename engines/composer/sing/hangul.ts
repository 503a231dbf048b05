/** Pronounces Korean lyrics: maps each syllable block to the phones (speech sounds) that an English
 *  voice has. */

const first = ['g', 'g', 'n', 'd', 'd', 'r', 'm', 'b', 'b', 's', 's', '', 'jh', 'jh', 'ch', 'k', 't', 'p', 'hh'] as const
const middle = [
  ...['aa', 'eh', 'y aa', 'y eh', 'ah', 'eh', 'y ah', 'y eh', 'ow', 'w aa', 'w eh', 'w eh', 'y ow'],
  ...['uw', 'w ah', 'w eh', 'w iy', 'y uw', 'uh', 'uh iy', 'iy'],
] as const
const last = [
  '',
  'k',
  'k',
  'k',
  'n',
  'n',
  'n',
  't',
  'l',
  'k',
  'm',
  'l',
  'l',
  'l',
  'p',
  'l',
  'm',
  'p',
  'p',
  't',
  't',
  'ng',
  't',
  't',
  'k',
  't',
  'p',
  't',
] as const

/** Returns the phones of a Korean syllable block; undefined for any other character. */
export function hangulPhones(block: string): string[] | undefined {
  const code = (block.codePointAt(0) ?? 0) - 0xac00
  if (code < 0 || code > 11_171) return undefined
  // The code point of a block is computed from the numbers of its first letter, vowel and last
  // letter.
  const vowel = (middle[Math.floor((code % 588) / 28)] ?? '').replace('uh iy', 'w iy')
  return [first[Math.floor(code / 588)], vowel, last[code % 28]].join(' ').trim().split(/\s+/)
}
