/** Whisper's codes of languages, where they are not those of BCP 47. */
import { spokenLanguage } from '@generation-gateway/kit/languages.ts'

/** Undefined for a language that Whisper does not know. */
export function whisperCode(tag: string): string | undefined {
  const code = spokenLanguage(tag)
  return code === 'jv' ? 'jw' : code
}

export function languageOf(whisper: string): string {
  return whisper === 'jw' ? 'jv' : whisper
}
