/** Models of T3, with the service's own names (docs/vendors/elevenlabs.md#models). */
import type { FamilyModel } from '../../contract/model.ts'
import type { Rule } from '../../contract/operation.ts'

/** `characters`: the most of one request. */
export const groups = {
  tts_monolingual_v1: { title: 'English', characters: 10_000, names: ['eleven_monolingual_v1'] },
  tts_multilingual_v2: { title: 'Many languages, second', characters: 10_000, names: ['eleven_multilingual_v2'] },
  tts_turbo_v2_5: { title: 'Many languages, fast', characters: 40_000, names: ['eleven_turbo_v2_5', 'eleven_flash_v2_5'] },
  tts_turbo_v2: { title: 'English, fast', characters: 30_000, names: ['eleven_turbo_v2', 'eleven_flash_v2'] },
  tts_multilingual_v1: { title: 'Many languages, first', characters: 10_000, names: ['eleven_multilingual_v1'] },
} as const
export type Group = keyof typeof groups
// The keys of the table; Object.keys only says string.
export const groupNames = Object.keys(groups) as Group[]

export const usualGroup: Group = 'tts_monolingual_v1'
/** The only one that is told the language. */
export const toldLanguage: Group = 'tts_turbo_v2_5'
export const mostCharacters = 40_000

/** By the name of the interface and by those of the service. */
export const models: readonly FamilyModel[] = groupNames.flatMap(group => {
  const { title, names } = groups[group]
  return [group, ...names].map((id): FamilyModel => ({ id, title, capability: 'speech.synthesize', group }))
})

/** Names of models that the interface does not know: by the one that is told the language, as they are. */
export const aliases: Readonly<Record<string, Group>> = { eleven_v3: toldLanguage, eleven_v3_conversational: toldLanguage }

export function isEnglish(group: Group): boolean {
  return group === 'tts_monolingual_v1' || group === 'tts_turbo_v2'
}

/** A text fits its model. */
export const fits: Rule<{ text: string }>[] = groupNames.map(group => {
  const { characters } = groups[group]
  return {
    id: `text-length-${group.replaceAll('_', '-')}`,
    says: `text has at most ${characters} characters.`,
    field: 'text',
    groups: [group],
    // Code points are never more than units.
    holds: ({ text }) => text.length <= characters || [...text].length <= characters,
    explain: ({ text }) => `text has ${[...text].length} characters; at most ${characters} of ${group}.`,
  }
})
