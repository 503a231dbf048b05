/** Models of T3, with the service's own names (docs/vendors/elevenlabs.md#models). */
import type { FamilyModel } from '../../contract/model.ts'
import type { Rule } from '../../contract/operation.ts'
import { textLength, wellFormedText } from '../shared/spoken-text.ts'

/** The models, with their titles and the service's names; `characters` is the longest text of one
 *  request. */
export const groups = {
  tts_monolingual_v1: { title: 'English', characters: 10_000, names: ['eleven_monolingual_v1'] },
  tts_multilingual_v2: { title: 'Many languages, second', characters: 10_000, names: ['eleven_multilingual_v2'] },
  tts_turbo_v2_5: { title: 'Many languages, fast', characters: 40_000, names: ['eleven_turbo_v2_5', 'eleven_flash_v2_5'] },
  tts_turbo_v2: { title: 'English, fast', characters: 30_000, names: ['eleven_turbo_v2', 'eleven_flash_v2'] },
  tts_multilingual_v1: { title: 'Many languages, first', characters: 10_000, names: ['eleven_multilingual_v1'] },
} as const
export type Group = keyof typeof groups
// The cast is safe: these are the keys of the table, but Object.keys is typed as string.
export const groupNames = Object.keys(groups) as Group[]

export const usualGroup: Group = 'tts_monolingual_v1'
/** The only model that takes a language code. */
export const toldLanguage: Group = 'tts_turbo_v2_5'
export const mostCharacters = 40_000

/** Every model under the interface's name and under the service's names. */
export const models: readonly FamilyModel[] = groupNames.flatMap(group => {
  const { title, names } = groups[group]
  return [group, ...names].map((id): FamilyModel => ({ id, title, capability: 'speech.synthesize', group }))
})

/** Models of the service that the interface does not have. These models accept a language code,
 *  so they are served by the only model here that accepts one. */
export const aliases: Readonly<Record<string, Group>> = { eleven_v3: toldLanguage, eleven_v3_conversational: toldLanguage }

export function isEnglish(group: Group): boolean {
  return group === 'tts_monolingual_v1' || group === 'tts_turbo_v2'
}

/** Rules on the text: it can be spoken, and is within its model's limit. */
export const textRules: Rule<{ text: string }>[] = [
  wellFormedText('text'),
  ...groupNames.map(group =>
    textLength('text', groups[group].characters, { id: `text-length-${group.replaceAll('_', '-')}`, groups: [group], of: ` of ${group}` }),
  ),
]
