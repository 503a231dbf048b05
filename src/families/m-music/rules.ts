/** Rules on which fields of a song or an instrumental exclude each other
 *  (docs/vendors/mureka.md#request-fields). */
import { defined } from '@generation-gateway/kit/defined.ts'
import { fileProblem } from '../../contract/file-rule.ts'
import type { BrokenRule, NeutralCall } from '../../contract/neutral-call.ts'
import { inputsOf, neutralForm } from '../../contract/neutral-form.ts'
import type { Rule } from '../../contract/operation.ts'
import { inputPurposes, purposes } from './purposes.ts'
import type { MusicBody } from './schema.ts'

/** Model groups, each with its own set of parameters. `o1` creates only songs, and cannot be
 *  streamed. */
export const groups = { reasoning: 'o1', usual: 'v7.5' } as const

type Field = Exclude<keyof MusicBody, 'stream' | 'lyrics' | 'model' | 'n'>

/** Returns true for a text with visible characters. An empty text counts as absent, because the
 *  vendor's own client sends an empty prompt instead of leaving it out. */
export function isGiven(text: string | undefined): text is string {
  return text !== undefined && /\S/.test(text)
}

/** Fields, each with the fields that must not be sent together with it. */
const excludedBy: readonly [field: Field, others: readonly Field[]][] = [
  ['reference_id', ['prompt', 'melody_id', 'instrumental_id']],
  ['vocal_id', ['prompt', 'melody_id']],
  ['melody_id', ['prompt', 'instrumental_id']],
  ['instrumental_id', ['prompt']],
]

const exclusions = excludedBy.flatMap(([field, others]) =>
  others.map(
    (other): Rule<MusicBody> => ({
      id: `${field}-without-${other}`.replaceAll('_', '-'),
      says: `${field} and ${other} exclude each other.`,
      field,
      source: 'ours',
      holds: body => !isGiven(body[field]) || !isGiven(body[other]),
    }),
  ),
)

const styleOrInstrumental: Rule<MusicBody> = {
  id: 'prompt-or-instrumental-id',
  says: 'An instrumental is made from either prompt or instrumental_id.',
  field: 'prompt',
  source: 'ours',
  holds: ({ prompt, instrumental_id }) => isGiven(prompt) !== isGiven(instrumental_id),
  explain: ({ prompt }) =>
    !isGiven(prompt)
      ? 'prompt is required, or instrumental_id in its place.'
      : 'prompt and instrumental_id exclude each other; an instrumental is made from one of them.',
}

const songsOnly: Rule<MusicBody> = {
  id: 'model-sings-only',
  says: `Models of the set ${groups.reasoning} make songs only.`,
  field: 'model',
  groups: [groups.reasoning],
  holds: () => false,
  explain: () => `model is of the set ${groups.reasoning}, which makes songs only; MaaS_Mus_v7.5_generate makes instrumentals.`,
}

/** Fields that only songs have. The schema of an instrumental does not contain them, and the
 *  schema check ignores unknown fields. A rule therefore refuses them. */
const songFields = ['lyrics', 'reference_id', 'vocal_id', 'melody_id'] as const

const ofSongs = songFields.map(
  (field): Rule<MusicBody> => ({
    id: `no-${field}`.replaceAll('_', '-'),
    says: `${field} is a field of songs; an instrumental has none.`,
    field,
    holds: body => !Object.hasOwn(body, field),
  }),
)

const checkedAtSubmit: Rule<MusicBody> = {
  id: 'stream-unsupported',
  says: `Models of the set ${groups.reasoning} have no stream.`,
  field: 'stream',
  source: 'ours',
  groups: [groups.reasoning],
  holds: ({ stream }) => stream !== true,
  explain: () => `stream is true; models of the set ${groups.reasoning} have no stream.`,
}

const separatePathOnly: Rule<MusicBody> = {
  id: 'stream-by-path',
  says: 'The action form has no stream.',
  field: 'stream',
  holds: ({ stream }) => stream === undefined,
  explain: () => 'stream is not a field of the action form; song/generate and instrumental/generate have it.',
}

export const songRules = [...exclusions, checkedAtSubmit]
export const songByActionRules = [...exclusions, separatePathOnly]
export const instrumentalRules = [...ofSongs, styleOrInstrumental, songsOnly, checkedAtSubmit]
export const instrumentalByActionRules = [...ofSongs, styleOrInstrumental, songsOnly, separatePathOnly]

/** Converts a neutral request to a body of the family. A missing field is left out instead of set
 *  to undefined, because the rules of `ofSongs` check whether a member exists. */
function fieldsOf(call: NeutralCall<'music.song' | 'music.instrumental'>): MusicBody {
  const { prompt, lyrics, stream } = call.request
  const [reference, vocal, melody, instrumental] = inputPurposes.map(role => inputsOf(call, role)[0]?.mediaType)
  return defined({ prompt, lyrics, stream, reference_id: reference, vocal_id: vocal, melody_id: melody, instrumental_id: instrumental })
}

/** Checks the files of a neutral request, which were not checked as uploads. Returns the rule that
 *  is broken when a purpose has several files, or a file beyond the limits of its uploads. */
function fileProblemOf(call: NeutralCall<'music.song' | 'music.instrumental'>): BrokenRule | undefined {
  for (const role of inputPurposes) {
    const [file, ...others] = inputsOf(call, role)
    const field = `${role}_id`
    if (others.length > 0) return { id: 'one-file', field, message: `${field} is given ${others.length + 1} times; at most 1.` }
    const problem = file && fileProblem(field, file, purposes[role].limits)
    if (problem) return { id: problem.rule, field, message: problem.message }
  }
  return undefined
}

const common = { bodyOf: fieldsOf, problem: fileProblemOf, fields: { prompt: 'prompt' } } as const
export const songForm = neutralForm({ capabilities: ['music.song'], rules: songRules, ...common })
export const instrumentalForm = neutralForm({ capabilities: ['music.instrumental'], rules: instrumentalRules, ...common })
