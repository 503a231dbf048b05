/** The snippets of docs/clients.md. */
import { readFileSync } from 'node:fs'

export interface Snippet {
  /** `js`, `python`, `sh`, or the format of a file. */
  language: string
  /** Destination of a file; `~` is the user's home. Undefined for a snippet that is run. */
  file: string | undefined
  text: string
}

/** The address and the key on the page. */
export const pageAddress = 'http://127.0.0.1:8080'
export const pageKey = 'sk-choose-a-long-secret'
/** The model that the snippets use, and their question. */
export const pageModel = 'qwen2.5-coder-0.5b-instruct'

/** The snippets of each section, in order. */
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

/** The text of a file's snippet. Throws when the page has none. */
export function pageFile(section: string, file: string): string {
  return find(section, snippet => snippet.file === file)
}

/** The first command of a section. Throws when the page has none. */
export function pageCommand(section: string): string {
  return find(section, ({ language, file }) => language === 'sh' && file === undefined)
}

function find(section: string, isWanted: (snippet: Snippet) => boolean): string {
  const snippet = pageSections().get(section)?.find(isWanted)
  if (!snippet) throw new Error(`docs/clients.md lacks a snippet in its section ${section}`)
  return snippet.text
}
