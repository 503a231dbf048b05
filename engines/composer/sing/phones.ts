/** Classifies phones (speech sounds): vowels, voiced sounds, and consonants with which an English
 *  syllable may begin. */

const vowels = new Set(['aa', 'ae', 'ah', 'ao', 'aw', 'ax', 'ay', 'eh', 'er', 'ey', 'ih', 'iy', 'ow', 'oy', 'uh', 'uw'])
const voiceless = new Set(['p', 't', 'k', 'ch', 'f', 'th', 's', 'sh', 'hh', 'pau'])

/** Returns a phone without the digit for its stress. */
export function plain(phone: string): string {
  return phone.replace(/\d$/, '')
}

export function isVowel(phone: string): boolean {
  return vowels.has(plain(phone))
}

export function isVoiced(phone: string): boolean {
  return !voiceless.has(plain(phone))
}

const singleOnsets = new Set([
  'b',
  'ch',
  'd',
  'dh',
  'f',
  'g',
  'hh',
  'jh',
  'k',
  'l',
  'm',
  'n',
  'p',
  'r',
  's',
  'sh',
  't',
  'th',
  'v',
  'w',
  'y',
  'z',
  'zh',
])
const pairs = new Set(
  'p l,p r,p y,b l,b r,b y,t r,t w,d r,d w,k l,k r,k w,k y,g l,g r,g w,f l,f r,f y,v y,th r,th w,sh r,s p,s t,s k,s m,s n,s w,s l,s f,m y,n y,hh y,s p r,s p l,s t r,s k r,s k w'.split(
    ',',
  ),
)

/** True when an English syllable may begin with these consonants. */
export function isOnset(consonants: readonly string[]): boolean {
  if (consonants.length === 0) return true
  return consonants.length === 1 ? singleOnsets.has(consonants[0] ?? '') : pairs.has(consonants.join(' '))
}
