import { join } from 'node:path'
import { openFrontEnd } from '../../engines/speech/language/index.ts'
import { packsDirectory } from '../../kit/packs.ts'
import { wordsIn } from './word-errors.ts'

const frontEnd = openFrontEnd(name => join(packsDirectory(process.env), 'speech-hibari', name))

/** Returns the words of an English text as they are spoken: `$5` and `five dollars` give the same
 *  words. Uses the text analysis of the speech engine. */
export async function spokenWords(text: string): Promise<string[]> {
  const said: string[] = []
  for await (const chunk of frontEnd.chunks({ text, language: 'en', accent: 'us' })) said.push(chunk.text)
  return wordsIn(said.join(' '))
}
