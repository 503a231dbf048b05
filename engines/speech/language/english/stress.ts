/** Changes stress marks in the alphabet of misaki (Kokoro's library for phonemes). The marks `ˈ`
 *  (primary) and `ˌ` (secondary) stand right before the stressed vowel. */
import type { Accent } from '../plan.ts'

export const vowels = 'AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻᵊeoɐ'

/** Changes the stress of a word. `full` raises it to the primary stress; `some` adds the secondary
 *  stress to a word without a mark; `weak` reduces the primary stress to the secondary one. */
export function withStress(phonemes: string, stress: 'full' | 'some' | 'weak'): string {
  if (stress === 'weak') return phonemes.includes('ˈ') ? phonemes.replaceAll('ˌ', '').replaceAll('ˈ', 'ˌ') : phonemes
  if (phonemes.includes('ˈ')) return phonemes
  if (stress === 'full' && phonemes.includes('ˌ')) return phonemes.replace('ˌ', 'ˈ')
  if (phonemes.includes('ˌ')) return phonemes
  const at = [...phonemes].findIndex(char => vowels.includes(char))
  return at < 0 ? phonemes : `${phonemes.slice(0, at)}${stress === 'full' ? 'ˈ' : 'ˌ'}${phonemes.slice(at)}`
}

/** Adds the `s` of the plural, the third person or the possessive. */
export function withS(stem: string, accent: Accent): string {
  if (/[ptkfθT]$/.test(stem)) return `${stem}s`
  return /[szʃʒʧʤ]$/.test(stem) ? `${stem}${accent === 'us' ? 'ᵻ' : 'ɪ'}z` : `${stem}z`
}

/** Adds the `-ed` of the past tense. */
export function withEd(stem: string, accent: Accent): string {
  if (/[pkfθʃsʧ]$/.test(stem)) return `${stem}t`
  const vowel = accent === 'us' ? 'ᵻ' : 'ɪ'
  if (stem.endsWith('d')) return `${stem}${vowel}d`
  if (stem.endsWith('t')) return `${flapped(stem, accent)}${vowel}d`
  return `${stem}d`
}

/** Adds `-ing`. */
export function withIng(stem: string, accent: Accent): string {
  // In British English, a silent r at the end is pronounced before a vowel.
  const linked = accent === 'gb' && /[əː]$/.test(stem) && !/[iu]ː$/.test(stem) ? `${stem}ɹ` : stem
  return `${flapped(linked, accent)}ɪŋ`
}

/** Replaces an American t between vowels by a tap. */
function flapped(stem: string, accent: Accent): string {
  return accent === 'us' && /[AIOWYiuæɑəɛɪɹʊʌ]t$/.test(stem) ? `${stem.slice(0, -1)}T` : stem
}
