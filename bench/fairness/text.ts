/** The fairness cases of text: an answer of 24 tokens, while twenty long answers are generated
 *  or long prompts are processed. */
import type { TextRequest } from '@generation-gateway/kit/requests/text.ts'
import engine from '../../engines/text/driver.ts'
import { request } from '../../engines/text/testing/ask.ts'
import type { FairnessCase, Run } from './case.ts'

const crowd = 20
const story = 'Write a long story about a fox and a bear.'
const words = 'and the fox went on '.repeat(280)

export async function textCases(): Promise<FairnessCase[]> {
  const short = answering(request('Write a long story about a ship.', { maxOutputTokens: 24 }))
  const stories = Array.from({ length: crowd }, () => answering(request(story, { maxOutputTokens: 1500 })))
  const prompts = Array.from({ length: crowd }, (_, index) => answering(request(`${index} ${words}`, { maxOutputTokens: 200 })))
  // The engine processes this prompt in one step that cannot be interrupted.
  const piece = answering(request('and the fox went on '.repeat(8), { maxOutputTokens: 1 }))
  return [
    { name: `text: 24 tokens beside ${crowd} answers of 1500`, engine, long: stories, short },
    { name: `text: 24 tokens beside ${crowd} prompts of 1400`, engine, long: [...stories.slice(0, 1), ...prompts], piece, short },
  ]
}

function answering(asked: TextRequest): Run {
  return (opened, options) => opened.run('text.respond', asked, { ...options, model: 'text-135m' })
}
