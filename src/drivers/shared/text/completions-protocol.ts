import { objectsOf } from '@generation-gateway/kit/json.ts'
import type { RelayedProtocol } from './protocols.ts'

/** OpenAI's legacy completions, which are relayed only: conversations are not translated into
 *  them. */
export const completionsProtocol: RelayedProtocol = {
  path: () => '/completions',
  isAnswer: ({ choices }) => objectsOf(choices).some(({ text }) => typeof text === 'string'),
  output: 'a text',
}
