/** Fails on a citation of a path or a heading that does not exist, or of a document that is not
 *  part of the repository. Checks the comments of code and the text of Markdown pages. A citation
 *  such as `docs/vendors/kling.md#models, #capability-map` begins with a path, from the root of the
 *  repository or relative to the citing file. One or more headings may follow, each as `#` and the
 *  anchor that GitHub gives it. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryFiles } from './repository-files.ts'

/** Names of documents that must not be cited, because they are not part of the repository. */
const absent =
  /\bvendors-(?:media|text-audio)\b|\b(?:performance|data-layer|design|scale-out|peers|engines-(?:audio|visual)|model-codebases)\.md\b|(?<![/\w])decisions\.md\b|\bengines-(?:audio|visual)\b|\bdata-layer\b|\bPart [ABC]\b|\bshared\/(?:reference|interface)\b|\b[Ii]ssue \d+\b/g
/** Matches any path with a slash. `isDead` treats it as a citation only if it ends with one of
 *  `extensions`, or begins with one of the folders in the root of the repository. */
const path = /(?<![\w@/.:$~<>*{}%-])(?:\.{0,2}\/)?[\w.{},*-]+(?:\/[\w.{},*@-]+)+\/?(?:#[\w-]+(?:,\s(?:\s*\* +)?#[\w-]+)*)?/g
const extensions = /\.(?:ts|js|mjs|md|json|py|sh|svg|jpg|png|txt)$/
/** `decision` matches the number of a page in docs/decisions/ after the word "decision". In the
 *  pages of that folder, `decisionAlone` is used instead, which also matches a number without that
 *  word. */
const decision = /\bdecisions? (\d{4})\b/g
const decisionAlone = /(?<![\w/.,+-])(00\d\d)(?![\w.,-]*\w)/g
/** Matches a file that is cited by its name only, between backticks. */
const name = /`([\w-]+(?:\.[\w-]+)*\.(?:ts|md))`/g
const link = /\]\(([^)\s]+)\)/g
/** Files that are not checked: texts of other authors, data, the changelog, and this script. */
const unread =
  /^(?:CHANGELOG\.md$|LICENSE|NOTICE|package-lock\.json$|engines\/(?:studio\/art\/(?:data|rows)|slides\/fonts)\/|scripts\/checks\/citations)/

const files = repositoryFiles()
const names = new Set(files.map(file => file.slice(file.lastIndexOf('/') + 1)))
const known = new Set(files.flatMap(file => [file, ...foldersOf(file)]))
const roots = new Set(files.map(file => file.split('/')[0]))
const headings = new Map<string, ReadonlySet<string>>()

const problems = files.filter(file => /\.(?:ts|js|mjs|md)$/.test(file) && !unread.test(file)).flatMap(problemsIn)
for (const problem of problems) process.stderr.write(`${problem}\n`)
if (problems.length > 0) process.exitCode = 1

function problemsIn(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const prose = file.endsWith('.md') ? withoutFences(text) : commentsOf(text)
  const found: string[] = []
  const say = (index: number, what: string) => found.push(`${file}:${text.slice(0, index).split('\n').length} ${what}`)
  for (const { 0: name, index } of text.matchAll(absent)) say(index, `cites ${name}, which is not in the repository.`)
  for (const { 0: cited, index } of prose.matchAll(path))
    if (isDead(file, cited)) say(index, `cites ${cited}: there is no such file or heading.`)
  for (const { 1: bare = '', index } of prose.matchAll(name))
    if (!names.has(bare) && !bare.startsWith('name.')) say(index, `cites ${bare}: there is no such file.`)
  for (const { 1: number = '', index } of prose.matchAll(file.startsWith('docs/decisions/') ? decisionAlone : decision))
    if (!isThere(`docs/decisions/${number}`)) say(index, `cites decision ${number}: there is none.`)
  if (file.endsWith('.md'))
    for (const { 1: target = '', index } of prose.matchAll(link))
      if (!/^[a-z]+:/.test(target) && !leadsTo(file, target)) say(index, `links to ${target}: there is no such file or heading.`)
  return found
}

function isDead(file: string, cited: string): boolean {
  const [where = ''] = cited.replace(/^\.\//, '').split('#')
  const isOurs = extensions.test(where) || roots.has(where.split('/')[0] ?? '')
  return isOurs && !where.includes('node_modules/') && !leadsTo(file, cited.replace(/[.,]+$/, ''))
}

/** Returns true when the cited path and headings exist. The path may be relative to the root of
 *  the repository or to the folder of the citing file. */
function leadsTo(file: string, target: string): boolean {
  const [where = '', ...titles] = target.split(/(?:,[\s*]*)?#/)
  const found = where === '' ? [file] : [where, join(dirname(file), where)].flatMap(each => spread(each)).filter(isThere)
  return found.length > 0 && titles.every(title => found.some(each => headingsOf(each).has(title)))
}

function isThere(where: string): boolean {
  const plain = where.replace(/\/$/, '')
  if (known.has(plain)) return true
  if (/^docs\/decisions\/\d{4}$/.test(plain)) return files.some(each => each.startsWith(`${plain}-`))
  if (!plain.includes('*')) return false
  const pattern = new RegExp(`^${plain.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`)
  return [...known].some(each => pattern.test(each))
}

/** Expands braces: `a/{b,c}.ts` -> `a/b.ts`, `a/c.ts`. */
function spread(where: string): string[] {
  const [, before = '', choices, behind = ''] = /^([^{]*)\{([^{}]*,[^{}]*)\}(.*)$/.exec(where) ?? []
  if (choices === undefined) return [where]
  return choices.split(',').flatMap(choice => spread(before + choice + behind))
}

/** Returns the anchors of a page's headings, as GitHub creates them. */
function headingsOf(page: string): ReadonlySet<string> {
  const read = headings.get(page)
  if (read) return read
  const titles = page.endsWith('.md') ? withoutFences(readFileSync(page, 'utf8')).matchAll(/^#{1,6} +(.+?) *$/gm) : []
  const found = new Set(
    [...titles].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/\s/g, '-'),
    ),
  )
  headings.set(page, found)
  return found
}

function foldersOf(file: string): string[] {
  const parts = file.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}

/** Returns a text of the same length with only the comments, and the strings that name a page of
 *  docs/. All other characters become blanks, so that the offsets stay the same. */
function commentsOf(text: string): string {
  const tokens = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|[^/'"`]+|[\s\S]/g
  return text.replace(tokens, token => (/^(?:\/[/*]|['"`]docs\/)/.test(token) ? token : token.replace(/[^\n]/g, ' ')))
}

function withoutFences(text: string): string {
  return text.replace(/^ *```[\s\S]*?^ *```/gm, fence => fence.replace(/[^\n]/g, ' '))
}
