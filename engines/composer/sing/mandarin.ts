/** Pronounces Chinese lyrics: converts characters to pinyin, and pinyin to the phones of an English
 *  voice. The tones are dropped, because the pitch of the tune replaces them. */
import { pinyin } from 'pinyin-pro'

const initials: Readonly<Record<string, string>> = {
  ...{ b: 'b', p: 'p', m: 'm', f: 'f', d: 'd', t: 't', n: 'n', l: 'l', g: 'g', k: 'k', h: 'hh' },
  ...{ j: 'jh', q: 'ch', x: 'sh', zh: 'jh', ch: 'ch', sh: 'sh', r: 'r', z: 'd z', c: 't s', s: 's', y: 'y', w: 'w' },
}

/** The finals of pinyin syllables (all sounds after the first consonant) as phones. `v` stands for
 *  ü. */
const finals: Readonly<Record<string, string>> = {
  ...{
    a: 'aa',
    o: 'ao',
    e: 'ah',
    ai: 'ay',
    ei: 'ey',
    ao: 'aw',
    ou: 'ow',
    an: 'aa n',
    en: 'ah n',
    ang: 'aa ng',
    eng: 'ah ng',
    ong: 'uh ng',
    er: 'aa r',
  },
  ...{
    i: 'iy',
    ia: 'y aa',
    ie: 'y eh',
    iao: 'y aw',
    iu: 'y ow',
    ian: 'y eh n',
    in: 'iy n',
    iang: 'y aa ng',
    ing: 'iy ng',
    iong: 'y uh ng',
  },
  ...{ u: 'uw', ua: 'w aa', uo: 'w ao', uai: 'w ay', ui: 'w ey', uan: 'w aa n', un: 'w ah n', uang: 'w aa ng' },
  ...{ v: 'y uw', ve: 'y eh', van: 'y eh n', vn: 'y iy n', ue: 'y eh', n: 'ah n', ng: 'ah ng' },
}

/** Returns the phones of each character, in order; undefined for a character whose reading is
 *  unknown. */
export function mandarinPhones(characters: string): (string[] | undefined)[] {
  return pinyin(characters, { toneType: 'none', type: 'array', v: true }).map(phonesOfPinyin)
}

/** Returns the phones of one pinyin syllable without a tone, such as `zhuang` or `lv`. */
function phonesOfPinyin(syllable: string): string[] | undefined {
  const [, initial = '', written = ''] = /^(zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw])?([a-z]+)$/.exec(syllable.replace('ü', 'v')) ?? []
  const final = finalOf(initial, written)
  if (final === undefined) return undefined
  const first = initials[initial] ?? ''
  // After y, w, sh, ch and jh, a y sound at the beginning of the final is dropped; after w, a w
  // sound is dropped, too.
  const joined = ['y', 'w', 'sh', 'ch', 'jh'].includes(first)
    ? final.replace(/^[yw] (?=[a-z]{2})/, glide => (first === glide.trim() || glide.trim() === 'y' ? '' : glide))
    : final
  return [first, joined].join(' ').trim().split(' ')
}

function finalOf(initial: string, written: string): string | undefined {
  if (written === 'i' && ['zh', 'ch', 'sh', 'r'].includes(initial)) return 'er'
  if (written === 'i' && ['z', 'c', 's'].includes(initial)) return 'ih'
  if (initial === 'y' && (written === 'an' || written === 'e')) return written === 'an' ? 'eh n' : 'eh'
  const isFront = ['j', 'q', 'x', 'y'].includes(initial) && written.startsWith('u')
  if (['b', 'p', 'm', 'f'].includes(initial) && written === 'o') return 'w ao'
  return finals[isFront ? written.replace('u', 'v') : written]
}
