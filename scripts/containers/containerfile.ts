/** Reads the Containerfile and .containerignore of the project. */
import { matchesGlob } from 'node:path'

/** An instruction of a stage, like `COPY --from=packs ffmpeg /opt/packs/ffmpeg`. */
export interface Step {
  /** Name of the instruction in capital letters. */
  instruction: string
  /** Options by name, without the dashes. */
  flags: Readonly<Record<string, string>>
  /** The rest of the instruction. */
  text: string
}

export interface Stage {
  name: string
  /** The image or the earlier stage from which this stage is built (`FROM`). */
  from: string
  steps: readonly Step[]
}

/** Returns the stages of a Containerfile in order. Throws for a stage without a name. */
export function readContainerfile(text: string): Stage[] {
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
  const stages: (Stage & { steps: Step[] })[] = []
  for (const line of lines) {
    const [, from, name] = /^FROM (\S+) AS (\S+)$/.exec(line) ?? []
    const current = stages.at(-1)
    if (from !== undefined && name !== undefined) stages.push({ name, from, steps: [] })
    else if (line.startsWith('FROM') || !current) throw new Error(`The Containerfile has a stage without a name: ${line}`)
    else current.steps.push(stepOf(line))
  }
  return stages
}

/** Returns the stage with this name. Throws when there is none. */
export function findStage(stages: readonly Stage[], name: string): Stage {
  const stage = stages.find(each => each.name === name)
  if (!stage) throw new Error(`The Containerfile has no stage ${name}`)
  return stage
}

function stepOf(line: string): Step {
  const [instruction = '', ...words] = line.split(/\s+/)
  const flags: Record<string, string> = {}
  while (words[0]?.startsWith('--')) {
    const [name = '', value = ''] = (words.shift() ?? '').slice(2).split('=')
    flags[name] = value
  }
  return { instruction, flags, text: words.join(' ') }
}

/** Returns a function that is true for the paths that a .containerignore keeps out of the build.
 *  The last pattern that matches the path or one of its folders decides. */
export function readIgnored(text: string): (path: string) => boolean {
  const patterns = text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => ({ pattern: line.replace(/^!/, ''), isKept: line.startsWith('!') }))
  return path => {
    const names = path.split('/')
    const parents = names.map((_, index) => names.slice(0, index + 1).join('/'))
    const last = patterns.findLast(({ pattern }) => parents.some(parent => matches(parent, pattern)))
    return last !== undefined && !last.isKept
  }
}

/** Unlike in Node's globs, a wildcard of a .containerignore matches names that begin with a dot. */
function matches(path: string, pattern: string): boolean {
  const [name, glob] = [path, pattern].map(text => text.replaceAll(/(^|\/)\./g, '$1_.'))
  return matchesGlob(name ?? '', glob ?? '')
}
