/** Converts the phones (speech sounds) of the dictionary to the phonetic alphabet of the voice. */
import { isVowel, plain } from './phones.ts'

const signs: Readonly<Record<string, string>> = {
  ...{ aa: 'ɑ', ae: 'æ', ah: 'ʌ', ao: 'ɔ', aw: 'W', ax: 'ə', ay: 'I', eh: 'ɛ', er: 'ɜɹ', ey: 'A' },
  ...{ ih: 'ɪ', iy: 'i', ow: 'O', oy: 'Y', uh: 'ʊ', uw: 'u' },
  ...{ b: 'b', ch: 'ʧ', d: 'd', dh: 'ð', f: 'f', g: 'ɡ', hh: 'h', jh: 'ʤ', k: 'k', l: 'l', m: 'm', n: 'n', ng: 'ŋ' },
  ...{ p: 'p', r: 'ɹ', s: 's', sh: 'ʃ', t: 't', th: 'θ', v: 'v', w: 'w', y: 'j', z: 'z', zh: 'ʒ' },
}

/** Returns the phonetic signs of a phone. A stressed vowel begins with a stress mark. */
export function signsOf(phone: string): string {
  const own = signs[plain(phone)]
  if (own === undefined) throw new RangeError(`no sign for the phone ${phone}`)
  if (!isVowel(phone)) return own
  if (phone.endsWith('1')) return `ˈ${own}`
  return own === 'ʌ' ? 'ə' : own === 'ɜɹ' ? 'əɹ' : own
}
