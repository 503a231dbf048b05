/** Wraps the prose of the Markdown pages at 100 columns: `node scripts/checks/wrap-docs.ts`. With
 *  --check it fails for the pages that need it.
 *  Paragraphs and list items without a longer line stay unchanged, and so do code, tables,
 *  headings and HTML. */
import { repositoryFiles } from './repository-files.ts'
import { columns, wrapFiles } from './wrap-files.ts'

/** Pages that are not wrapped: generated ones, the changelog, and texts from other sources. */
const leftOut = /^(docs\/reference\/|CHANGELOG\.md$|engines\/[^/]+\/.*licen[cs]es\/)/
const fence = /^\s*(```|~~~)/
/** Matches lines that are not prose: tables, headings, HTML, pictures, quotations and rules. */
const apart = /^\s*(\||#{1,6} |<|!\[|>|---|\[[^\]]+\]: )/
const item = /^(\s*)([-*+]|\d+[.)])\s+/
/** Matches a word that must not be the first of a line, because Markdown would take it for a
 *  list item, a heading or a quotation. */
const marker = /^([-+*>|=]|#{1,6}|\d+[.)])$/

const pages = repositoryFiles('*.md').filter(path => !leftOut.test(path))
wrapFiles(pages, 'prose', wrapPage)

function wrapPage(page: string): string {
  const out: string[] = []
  let block: string[] = []
  let isCode = false
  const endBlock = () => {
    out.push(...wrapBlock(block))
    block = []
  }
  for (const line of page.split('\n')) {
    const isFence = fence.test(line)
    if (isFence) isCode = !isCode
    if (isCode || isFence || line.trim() === '' || apart.test(line)) {
      endBlock()
      out.push(line)
      continue
    }
    if (item.test(line)) endBlock()
    block.push(line)
    // A hard line break in Markdown ends the block.
    if (/( {2}|\\)$/.test(line)) endBlock()
  }
  endBlock()
  return out.join('\n')
}

/** Wraps a paragraph or a list item to lines of at most 100 columns. A single longer word stays
 *  on a line of its own. */
function wrapBlock(block: readonly string[]): readonly string[] {
  const [first = ''] = block
  if (block.every(line => width(line) <= columns)) return block
  const head = item.exec(first)?.[0] ?? /^\s*/.exec(first)?.[0] ?? ''
  const indent = ' '.repeat(width(head))
  const lines = [head]
  for (const [index, word] of wordsOf(block.join(' ').slice(head.length)).entries()) {
    const line = lines.at(-1) ?? ''
    if (index === 0) lines[0] += word
    else if (width(line) + 1 + width(word) <= columns || marker.test(word)) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(indent + word)
  }
  return lines
}

/** Splits a text into words. Inline code is one word even if it contains blanks, so that a
 *  command stays on one line. */
function wordsOf(text: string): string[] {
  return text.match(/(?:`+[^`]*`+|[^\s`]|`)+/g) ?? []
}

/** Returns the width of a text in columns. A letter of an East Asian script takes two columns. */
function width(text: string): number {
  return [...text].length + (text.match(/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|[，。、：；！？「」]/gu)?.length ?? 0)
}
