import { basename } from 'node:path'

/** A program in a pipeline of programs: its name or path, and its arguments. */
export interface PipelineStep {
  program: string
  args: string[]
}

/** Returns the programs of an Apertium mode file, in order, set to print unknown words without a
 *  mark. Throws for a file that is not a simple pipeline. */
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

/** Replaces the shell parameters `$1` (how unknown words are printed) and `$2` (further arguments
 *  of the tagger), which Apertium's own script sets. */
function wordOf(word: string): string[] {
  if (word === '$1') return ['-n']
  if (word === '$2') return []
  if (word.startsWith("'")) return [word.slice(1, -1)]
  if (!/^[\w./=-]+$/.test(word)) throw new Error('A mode file has an argument that a shell would read as more than a word.')
  return [word]
}

/** Returns the steps with the full paths of their programs and data files. `find` returns the path
 *  of a file for its name. Undefined when a file is missing. */
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
