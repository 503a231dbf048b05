import { basename } from 'node:path'

/** A program of a pipeline: its name or path, and its arguments. */
export interface PipelineStep {
  program: string
  args: string[]
}

/** Returns the programs that a mode file of Apertium names, in their order; unknown words stay
 *  without a mark. Throws for anything but a plain pipeline. */
export function stepsOf(mode: string): PipelineStep[] {
  const [line = '', ...more] = mode.trim().split('\n')
  if (more.length > 0) throw new Error('A mode file has one line.')
  return line.split('|').map(part => {
    const words = part.trim().match(/'[^']*'|[^\s']+/g) ?? []
    const [program = '', ...args] = words.flatMap(wordOf)
    if (!/^[\w./-]+$/.test(program)) throw new Error('A mode file names a program that is none.')
    return { program, args }
  })
}

/** Sets `$1` and `$2`, which the runner of a mode provides: how unknown words are shown, and
 *  further arguments of the tagger. */
function wordOf(word: string): string[] {
  if (word === '$1') return ['-n']
  if (word === '$2') return []
  if (word.startsWith("'")) return [word.slice(1, -1)]
  if (!/^[\w./=-]+$/.test(word)) throw new Error('A mode file has an argument that a shell would read as more than a word.')
  return [word]
}

/** Returns the steps with the paths of their programs and data files; undefined when one is
 *  missing. `find` looks up a path by name. */
export function stepsAt(steps: readonly PipelineStep[], find: (name: string) => string | undefined): PipelineStep[] | undefined {
  const moved: PipelineStep[] = []
  for (const { program, args } of steps) {
    const path = find(basename(program))
    const placed = args.map(arg => (arg.startsWith('/') ? find(basename(arg)) : arg))
    if (path === undefined || placed.includes(undefined)) return undefined
    moved.push({ program: path, args: placed.filter(arg => arg !== undefined) })
  }
  return moved
}
