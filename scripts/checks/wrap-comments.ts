/** Wraps the comments of TypeScript files at 100 columns:
 *  `node scripts/checks/wrap-comments.ts`. With --check it fails for the files that need it.
 *  Only comments on lines of their own are wrapped, and only those with a longer line. */
import ts from 'typescript-5'
import { repositoryFiles } from './repository-files.ts'
import { columns, wrapFiles } from './wrap-files.ts'

/** Matches comments that tools read, and lines of comments that must not be joined with the line
 *  before. */
const apart = /^(biome-ignore|@ts-|@|[-*|>] |\d+[.)] |```| {3,})/

const files = repositoryFiles('src/**.ts', 'kit/**.ts', 'engines/**.ts', 'bench/**.ts', 'scripts/**.ts')
wrapFiles(files, 'comments', (text, path) => (hasLongComment(text) ? wrapComments(path, text) : text))

/** Returns true when a line looks like a comment that is too long. This is only a quick check:
 *  the line may also belong to a string. */
function hasLongComment(text: string): boolean {
  return text.split('\n').some(line => line.length > columns && /^\s*(\/\/|\/\*|\*)/.test(line))
}

interface Span {
  start: number
  end: number
  kind: ts.CommentKind
}

function wrapComments(path: string, text: string): string {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false)
  const found = new Map<number, Span>()
  const visit = (node: ts.Node) => {
    for (const { pos, end, kind } of ts.getLeadingCommentRanges(text, node.pos) ?? []) found.set(pos, { start: pos, end, kind })
    ts.forEachChild(node, visit)
  }
  visit(source)
  // The loop above does not find comments after the last statement of a file or the last member of
  // a block, because TypeScript's syntax tree does not contain them. A pattern finds them here.
  for (const match of text.matchAll(/\n([ \t]*)(\/\/[^\n]*|\/\*\*(?:(?!\*\/)[\s\S])*\*\/)(?=\s*[}\])]|\s*$)/g)) {
    const start = match.index + 1 + (match[1] ?? '').length
    if (isComment(source, start)) found.set(start, { start, end: start + (match[2] ?? '').length, kind: kindOf(match[2] ?? '') })
  }
  let out = text
  for (const span of joined(
    text,
    [...found.values()].sort((a, b) => a.start - b.start),
  ).reverse()) {
    const lineStart = out.lastIndexOf('\n', span.start - 1) + 1
    const indent = out.slice(lineStart, span.start)
    if (indent.trim() !== '') continue
    const old = out.slice(span.start, span.end)
    if (old.split('\n').every((line, index) => (index === 0 ? indent.length : 0) + line.length <= columns)) continue
    out = out.slice(0, span.start) + wrapped(old, indent) + out.slice(span.end)
  }
  return out
}

function kindOf(comment: string): ts.CommentKind {
  return comment.startsWith('//') ? ts.SyntaxKind.SingleLineCommentTrivia : ts.SyntaxKind.MultiLineCommentTrivia
}

/** Returns true when the text at this offset is a comment, and not part of a string or template. */
function isComment(source: ts.SourceFile, at: number): boolean {
  let isInside = false
  const visit = (node: ts.Node) => {
    if (at < node.pos || at >= node.end) return
    if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isRegularExpressionLiteral(node))
      isInside ||= at >= node.getStart(source)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return !isInside
}

/** Joins line comments that follow each other to one, so that they are wrapped as one text. */
function joined(text: string, spans: readonly Span[]): Span[] {
  const out: Span[] = []
  for (const span of spans) {
    const last = out.at(-1)
    const isNext =
      last?.kind === ts.SyntaxKind.SingleLineCommentTrivia &&
      span.kind === last.kind &&
      /^\n[ \t]*$/.test(text.slice(last.end, span.start)) &&
      text.slice(text.lastIndexOf('\n', last.start - 1) + 1, last.start).trim() === ''
    if (isNext) last.end = span.end
    else out.push({ ...span })
  }
  return out
}

function wrapped(comment: string, indent: string): string {
  const isLine = comment.startsWith('//')
  const open = isLine ? '// ' : comment.startsWith('/**') ? '/** ' : '/* '
  const next = isLine ? '// ' : open === '/** ' ? ' *  ' : '   '
  const lines = isLine
    ? comment.split('\n').map(line => line.replace(/^\s*\/\/ ?/, ''))
    : comment
        .replace(/^\/\*+[ \t]*/, '')
        .replace(/\s*\*\/$/, '')
        .split('\n')
        .map(line => line.replace(/^\s*\*? {0,2}/, ''))
  const end = isLine ? '' : ' */'
  const out: string[] = []
  for (const paragraph of paragraphs(lines)) {
    const hang = /^([-*] |\d+[.)] )/.exec(paragraph)?.[0].length ?? 0
    let line = ''
    let isFirst = true
    const room = () => columns - indent.length - (out.length === 0 ? open.length : next.length) - end.length
    for (const word of wordsOf(paragraph)) {
      const pad = isFirst || line !== '' ? '' : ' '.repeat(hang)
      if (line !== '' && line.length + 1 + word.length > room()) {
        out.push(line)
        isFirst = false
        line = ' '.repeat(hang) + word
      } else line = line === '' ? pad + word : `${line} ${word}`
    }
    out.push(line)
  }
  return out.map((line, index) => ((index === 0 ? open : indent + next) + line).trimEnd()).join('\n') + end
}

/** Joins the lines of each paragraph into one text. */
function paragraphs(lines: readonly string[]): string[] {
  const out: string[] = []
  let canJoin = false
  for (const line of lines) {
    if (canJoin && line !== '' && !apart.test(line)) out[out.length - 1] += ` ${line.trim()}`
    else out.push(line)
    canJoin = line !== '' && !/^(biome-ignore|@ts-|```|\||>| {3,})/.test(line)
  }
  return out
}

/** Splits a text into words. Inline code is one word, even if it contains blanks. A comment for
 *  a tool, a row of a table, the fence of a code block and an indented line are each one word as
 *  well. */
function wordsOf(text: string): string[] {
  if (/^(biome-ignore|@ts-|```|\|| {3,})/.test(text)) return [text]
  return text.match(/(?:`[^`]*`|[^\s`]|`)+/g) ?? ['']
}
