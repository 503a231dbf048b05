/** Translates neutral requests into requests to the vendor (docs/vendors/mureka.md#request-fields).
 *  A request that the vendor cannot serve is refused before anything is sent. */
import { defined } from '@generation-gateway/kit/defined.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { InputFacts } from '@generation-gateway/kit/requests/capability.ts'
import type { MusicRequest } from '@generation-gateway/kit/requests/music.ts'
import { refused } from '../../shared/refusal.ts'
import { owner } from './settings.ts'

/** Kind of the music; the vendor's paths begin with it. */
export type Kind = 'song' | 'instrumental'

/** Roles of inputs that a submit accepts; each input is sent as the field `<role>_id`. */
export const inputRoles = {
  song: ['reference', 'vocal', 'melody', 'instrumental'],
  instrumental: ['instrumental'],
} as const
export type InputRole = (typeof inputRoles)['song'][number]

const mostPieces = 3
const mostLyrics = 3000
const mostPrompt = 1024

/** Throws a `RefusedError` for a request that the vendor cannot serve. */
export function checkRequest(kind: Kind, request: MusicRequest, inputs: readonly InputFacts[]): void {
  const { count, lyrics, prompt, seconds } = request
  if (count > mostPieces) throw refused('count', `${owner} makes ${mostPieces} pieces per task at most, not ${count}.`)
  if (seconds !== undefined) throw refused('seconds', `is ${seconds}; ${owner} decides on the length itself.`)
  if (kind === 'song' && lyrics === undefined) throw refused('lyrics', `is missing; ${owner} makes no song without it.`)
  if (kind === 'instrumental' && lyrics !== undefined) throw refused('lyrics', `${owner} sings nothing in an instrumental.`)
  if (charactersOf(lyrics) > mostLyrics)
    throw refused('lyrics', `has ${charactersOf(lyrics)} characters; ${owner} takes ${mostLyrics} at most.`)
  if (charactersOf(prompt) > mostPrompt)
    throw refused('prompt', `has ${charactersOf(prompt)} characters; ${owner} takes ${mostPrompt} at most.`)
  const roles = inputs.map(({ role }) => role)
  const known: readonly string[] = inputRoles[kind]
  for (const role of roles) {
    const field = inputRoles.song.find(each => each === role)
    if (field && !known.includes(field)) throw refused(field, `${owner} does not take it for an instrumental.`)
    if (roles.filter(each => each === role).length > 1) throw refused(field ?? 'reference', `${owner} takes one only.`)
  }
}

/** Returns the number of code points in a text, which is how JSON Schema counts characters. */
function charactersOf(text = ''): number {
  return Array.from(text).length
}

/** Returns the body of a submit. `ids` are the vendor's ids of the uploaded inputs, by role. */
export function submitBody(request: MusicRequest, model: string, ids: ReadonlyMap<InputRole, string>): JsonObject {
  const { lyrics, prompt, count } = request
  const named = modelName(model)
  const inputs = Object.fromEntries(Array.from(ids, ([role, id]) => [`${role}_id`, id]))
  // The model o1 refuses the field `stream`, because it sends no sound before the piece is
  // finished.
  const stream = request.stream && !named.endsWith('-o1') ? true : undefined
  return defined({ lyrics, model: named, n: count, prompt, ...inputs, stream })
}

/** Returns the vendor's name of a model; the gateway's interface has other names for some
 *  models. */
function modelName(model: string): string {
  const version = /^MaaS_Mus_v?(.+)_generate$/.exec(model)?.[1]
  return version === undefined ? model : `mureka-${version}`
}
