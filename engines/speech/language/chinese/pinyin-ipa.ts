/** Converts pinyin syllables to Kokoro's alphabet. The tone is an arrow after the vowel: → flat, ↗
 *  rising, ↓ low, ↘ falling. */

/** Converts `zhang3` to `ꭧa↓ŋ`; undefined when the text is not a syllable. The digits 0 and 5, and
 *  a missing digit, mean the neutral tone. */
export function ipaOfPinyin(pinyin: string): string | undefined {
  const [, initial = '', rest = '', tone = '0'] = /^(zh|ch|sh|[bpmfdtnlgkhjqxzcsr])?([aeiouümngr]*?)([0-5])?$/.exec(glides(pinyin)) ?? []
  const isBuzzed = /^(?:zh|ch|sh|r|z|c|s)$/.test(initial) && rest === 'i'
  const final = isBuzzed ? 'ɨ0' : finals[finalOf(initial, rest)]
  if (final === undefined) return bare[pinyin.replace(/\d$/, '')]
  return (initials[initial] ?? '') + final.replace('0', tones[Number(tone)] ?? '')
}

const tones = ['', '→', '↗', '↓', '↘', '']
const initials: Record<string, string> = {
  b: 'p',
  p: 'pʰ',
  m: 'm',
  f: 'f',
  d: 't',
  t: 'tʰ',
  n: 'n',
  l: 'l',
  g: 'k',
  k: 'kʰ',
  h: 'x',
  j: 'ʨ',
  q: 'ʨʰ',
  x: 'ɕ',
  zh: 'ꭧ',
  ch: 'ꭧʰ',
  sh: 'ʂ',
  r: 'ɻ',
  z: 'ʦ',
  c: 'ʦʰ',
  s: 's',
}
/** Pinyin finals; the 0 marks the place of the tone arrow. */
const finals: Record<string, string> = {
  a: 'a0',
  ai: 'ai0',
  an: 'a0n',
  ang: 'a0ŋ',
  ao: 'au0',
  e: 'ɤ0',
  ei: 'ei0',
  en: 'ə0n',
  eng: 'ə0ŋ',
  er: 'ɚ0',
  o: 'wo0',
  ou: 'ou0',
  ong: 'ʊ0ŋ',
  i: 'i0',
  ia: 'ja0',
  ie: 'je0',
  iao: 'jau0',
  iou: 'jou0',
  ian: 'jɛ0n',
  in: 'i0n',
  iang: 'ja0ŋ',
  ing: 'i0ŋ',
  iong: 'jʊ0ŋ',
  io: 'jo0',
  u: 'u0',
  ua: 'wa0',
  uo: 'wo0',
  uai: 'wai0',
  uei: 'wei0',
  uan: 'wa0n',
  uen: 'wə0n',
  uang: 'wa0ŋ',
  ueng: 'wə0ŋ',
  ü: 'y0',
  üe: 'ɥe0',
  üan: 'ɥɛ0n',
  ün: 'y0n',
}
/** Syllables that are not an initial and a final of the tables above, mostly interjections.
 *  Their tone is left out. */
const bare: Record<string, string> = { m: 'm', n: 'n', ng: 'ŋ', hm: 'xm', hng: 'xŋ', ê: 'ɛ' }

/** Replaces y and w at the beginning of a syllable by the vowels i, u and ü, for which pinyin
 *  writes them there. */
function glides(pinyin: string): string {
  return pinyin.replaceAll('v', 'ü').replace(/^yu/, 'ü').replace(/^yi/, 'i').replace(/^y/, 'i').replace(/^wu/, 'u').replace(/^w/, 'u')
}

function finalOf(initial: string, rest: string): string {
  if (/^[jqx]$/.test(initial) && rest.startsWith('u')) return `ü${rest.slice(1)}`
  const short: Record<string, string> = { iu: 'iou', ui: 'uei', un: 'uen' }
  return short[rest] ?? rest
}
