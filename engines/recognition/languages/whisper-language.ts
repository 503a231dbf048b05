/** Whisper's language codes that differ from BCP 47. */
import { spokenLanguage } from '@generation-gateway/kit/languages.ts'

/** Returns Whisper's code for a language tag; undefined for a language that Whisper does not
 *  know. */
export function whisperCode(tag: string): string | undefined {
  const code = spokenLanguage(tag)
  return code === 'jv' ? 'jw' : code
}

export function languageOf(whisper: string): string {
  return whisper === 'jw' ? 'jv' : whisper
}
