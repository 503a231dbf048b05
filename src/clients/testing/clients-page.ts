/** Reads the snippets of docs/clients.md. */
import { readFileSync } from 'node:fs'

export interface Snippet {
  /** Language of the snippet: `js`, `python`, `sh`, or the format of a file. */
  language: string
  /** Path of the file into which a reader writes the snippet; `~` is the user's home folder.
   *  Undefined for a snippet that is run. */
  file: string | undefined
  text: string
}

/** Address of the gateway in the snippets of docs/clients.md. The next constant is the access
 *  key there. */
export const pageAddress = 'http://127.0.0.1:8080'
export const pageKey = 'sk-choose-a-long-secret'
/** The model in the snippets of docs/clients.md. */
export const pageModel = 'qwen2.5-coder-0.5b-instruct'

/** Returns the snippets of each section, in order. */
export function pageSections(): Map<string, Snippet[]> {
  const page = readFileSync(new URL('../../../docs/clients.md', import.meta.url), 'utf8')
  const [, ...sections] = page.split(/^## /m)
  return new Map(
    sections.map(section => {
      const snippets = section.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)
      return [section.split('\n', 1)[0] ?? '', [...snippets].map(([, language = '', file, text = '']) => ({ language, file, text }))]
    }),
  )
}

/** Returns the snippet for this file. Throws when the page has none. */
export function pageFile(section: string, file: string): string {
  return find(section, snippet => snippet.file === file)
}

/** Returns the first command of a section. Throws when the page has none. */
export function pageCommand(section: string): string {
  return find(section, ({ language, file }) => language === 'sh' && file === undefined)
}

function find(section: string, isWanted: (snippet: Snippet) => boolean): string {
  const snippet = pageSections().get(section)?.find(isWanted)
  if (!snippet) throw new Error(`docs/clients.md lacks a snippet in its section ${section}`)
  return snippet.text
}
